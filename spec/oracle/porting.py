# porting.py - writes porting.lua and porting.params: what MXNet 1.9.1 computes by operators that public programs use.
#     python porting.py
# A case has inputs, options, outputs, head gradients and gradients. hawkesll's gradient of state is left out: MXNet
# returns zeros; its second head gradient is zero, since MXNet ignores it.
import textwrap

import numpy as np
from mxnet import nd, autograd

r = np.random.RandomState(1)
arrays, cases = {}, []


def lua(v):
    if isinstance(v, bool): return 'true' if v else 'false'
    if isinstance(v, (tuple, list)): return '{ ' + ', '.join(lua(x) for x in v) + ' }' if v else '{}'
    return repr(v)


def case(tag, op, inputs, options, grads=None):
    inputs = [nd.array(a, dtype=a.dtype) for a in inputs]
    for i, x in enumerate(inputs): arrays[f'{tag}:in{i}'] = x.copy()
    fn = nd
    for part in op.split('.'): fn = getattr(fn, part)
    grads = list(range(len(inputs))) if grads is None else grads
    for i in grads: inputs[i].attach_grad()
    if grads:
        with autograd.record(): out = fn(*inputs, **options)
    else: out = fn(*inputs, **options)
    out = list(out) if isinstance(out, (list, tuple)) else [out]
    for i, y in enumerate(out): arrays[f'{tag}:out{i}'] = y
    if grads:
        heads = [nd.array(r.randn(*y.shape)) for y in out]
        if op == 'contrib.hawkesll': heads[1] *= 0
        for i, h in enumerate(heads): arrays[f'{tag}:head{i}'] = h
        autograd.backward(out, heads)
        for i in grads: arrays[f'{tag}:grad{i}'] = inputs[i].grad
    set_ = ', '.join(f'{k} = {lua(v)}' for k, v in options.items())
    text = (f'{{ tag = "{tag}", op = "{op}", inputs = {len(inputs)}, outputs = {len(out)}, grads = {lua(grads)}, '
            f'options = {{ {set_} }} }},')
    cases.append(textwrap.fill(text, 116, initial_indent='  ', subsequent_indent='    '))


R=lambda *s:r.randn(*s).astype('float32')
U=lambda *s:r.rand(*s).astype('float32')
for lg in (False,True):
    for sh in ((3,),(2,3)):
        for draws in ((),(2,3)):
            t=f"{lg}{sh}{draws}".replace(' ','')
            S=sh+draws
            case('n'+t,'random_pdf_normal',[R(*S),R(*sh),U(*sh)+.5],dict(is_log=lg))
            case('u'+t,'random_pdf_uniform',[U(*S),-U(*sh),U(*sh)+1],dict(is_log=lg))
            case('g'+t,'random_pdf_gamma',[U(*S)+.1,U(*sh)+.5,U(*sh)+.5],dict(is_log=lg))
            case('e'+t,'random_pdf_exponential',[U(*S)+.1,U(*sh)+.5],dict(is_log=lg))
            K=lambda: r.randint(0,6,S).astype('float32')
            case('p'+t,'random_pdf_poisson',[K(),U(*sh)*4+.5],dict(is_log=lg))
            case('nb'+t,'random_pdf_negative_binomial',[K(),U(*sh)*4+.5,U(*sh)*.8+.1],dict(is_log=lg))
            case('gnb'+t,'random_pdf_generalized_negative_binomial',[K(),U(*sh)*4+.5,U(*sh)+.2],dict(is_log=lg))
            d=U(*(S+(4,)))+.05; d/=d.sum(-1,keepdims=True)
            case('d'+t,'random_pdf_dirichlet',[d,U(*(sh+(4,)))*2+.3],dict(is_log=lg))
for op in ('round_ste','sign_ste'): case(op,'contrib.'+op,[R(3,4)*2],{})
case('gm','contrib.gradientmultiplier',[R(3,4)],dict(scalar=-.7))
for k,(ks,md,s1,s2,pad,mul,H,W) in enumerate([(1,2,1,1,2,True,5,6),(3,2,1,1,3,True,6,7),(3,2,2,2,3,False,6,7),(1,4,1,2,4,True,5,5),(3,1,2,1,1,True,8,9),(1,3,1,2,3,False,5,5),(5,4,2,2,6,True,9,11)]):
    case(f'corr{k}','Correlation',[R(2,3,H,W),R(2,3,H,W)],dict(kernel_size=ks,max_displacement=md,stride1=s1,stride2=s2,pad_size=pad,is_multiply=mul))
for k,(ker,s,dl,p,G,dg,sc,nb) in enumerate([((3,3),(1,1),(1,1),(1,1),1,1,.4,False),((3,3),(1,1),(1,1),(1,1),1,1,3,True),((3,2),(2,1),(1,2),(1,0),2,2,1,False),((1,1),(1,1),(1,1),(0,0),1,4,1,False),((3,3),(2,2),(2,2),(2,2),4,1,.5,False)]):
    N,C,H,W,F=2,4,7,8,8
    oh=(H+2*p[0]-dl[0]*(ker[0]-1)-1)//s[0]+1; ow=(W+2*p[1]-dl[1]*(ker[1]-1)-1)//s[1]+1
    ins=[R(N,C,H,W),R(N,dg*2*ker[0]*ker[1],oh,ow)*sc,R(F,C//G,*ker)]+([] if nb else [R(F)])
    case(f'def{k}','contrib.DeformableConvolution',ins,dict(kernel=ker,stride=s,dilate=dl,pad=p,num_filter=F,num_group=G,num_deformable_group=dg,no_bias=nb))
def rois(n,N,H,W):
    a=r.rand(n,5).astype('float32'); a[:,0]=r.randint(0,N,n); x=np.sort(r.rand(n,2)*W*1.2-2,1);y=np.sort(r.rand(n,2)*H*1.2-2,1); a[:,1]=x[:,0];a[:,3]=x[:,1];a[:,2]=y[:,0];a[:,4]=y[:,1]; return a.astype('float32')
for k,(sc,od,ps,gs) in enumerate([(.5,2,2,0),(1.,1,3,0),(.25,2,4,2)]):
    g=gs or ps
    case(f'ps{k}','contrib.PSROIPooling',[R(2,od*g*g,8,9),rois(7,2,int(8/sc),int(9/sc))],dict(spatial_scale=sc,output_dim=od,pooled_size=ps,group_size=gs),[0])
for k,(sc,ps,sr) in enumerate([(1.,(2,2),-1),(.5,(3,2),2),(.25,(2,4),-1)]):
    n=6; a=np.zeros((n,6),'float32'); a[:,0]=r.randint(0,2,n);a[:,1]=r.rand(n)*9/sc;a[:,2]=r.rand(n)*8/sc;a[:,3]=r.rand(n)*9/sc;a[:,4]=r.rand(n)*8/sc;a[:,5]=r.rand(n)*360-180
    case(f'rr{k}','contrib.RROIAlign',[R(2,3,8,9),a],dict(pooled_size=ps,spatial_scale=sc,sampling_ratio=sr),[])
for k,(N,A,kw) in enumerate([(1,3,dict(scales=(2.,),ratios=(.5,1.,2.))),(1,12,{}),(1,4,dict(scales=(1.,2.),ratios=(.5,1.5),iou_loss=True))]):
    H,W=6,7
    info=np.array([[H*16-20,W*16,1.3]],'float32').repeat(N,0)
    for nm in ('Proposal','MultiProposal'):
        for M in ((1,) if nm=='Proposal' else (1,3)):
            kk=dict(rpn_pre_nms_top_n=60,rpn_post_nms_top_n=12,threshold=.6,rpn_min_size=10,output_score=True); kk.update(kw)
            case(f'{nm}{k}{M}','contrib.'+nm,[U(M,2*A,H,W),R(M,4*A,H,W)*.3,info.repeat(M,0)],kk,[])
for k in range(3):
    N,T_,K=3,5,4
    case(f'hawkes{k}','contrib.hawkesll',[U(N,K)*2+.1,U(K)*.5,U(K)+.5,U(N,K),U(N,T_),r.randint(0,K,(N,T_)).astype('int32'),np.array([5,2,0],'float32'),np.array([6,5,4.],'float32')],{},[0,1,2])

nd.save('porting.params', arrays)
with open('porting.lua', 'w') as f:
    f.write('-- porting.lua - the cases of porting.params (written by porting.py).\nreturn {\n' + '\n'.join(cases) + '\n}\n')
