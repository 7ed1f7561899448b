# np_net.py - a network made under npx.set_np(), exported by MXNet 1.9.1, with its outputs. Run in the root:
# python spec/oracle/np_net.py
import numpy as np
np.bool=bool; np.object=object; np.int=int; np.float=float
import mxnet as mx, sys
from mxnet import np as mnp, npx, gluon
npx.set_np()
class Net(gluon.HybridBlock):
    def __init__(self):
        super().__init__()
        with self.name_scope():
            self.dense=gluon.nn.Dense(3,in_units=4)
    def hybrid_forward(self,F,x):
        y=F.npx.relu(self.dense(x))*2+1
        m=F.np.mean(y,axis=0)
        return y, m, F.np.sum(y)/7, y[0], F.np.where(y>1.5,y,F.np.zeros_like(y)), F.np.max(y,axis=1), (y[1,2]), F.np.exp(y).reshape(-1), F.np.concatenate([y,y],axis=1), F.np.dot(m,m)
net=Net(); net.initialize(mx.init.Normal(0.5)); net.hybridize()
x=mnp.array(np.round(np.random.RandomState(3).randn(2,4),2).astype('float32'))
outs=net(x)
net.export('spec/oracle/np/net')
npx.save('spec/oracle/np/values.params',{'x':x,**{'out%d'%i:o for i,o in enumerate(outs)}})
print([o.shape for o in outs])
