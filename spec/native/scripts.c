/* scripts.c - two Lua states in two threads train and predict at the same time: `scripts [rounds [starved]]`.
**
** Each thread repeatedly opens a state with hybridlua, trains networks by eager and by compiled calls, and predicts.
** The networks have dropout, batch normalization and two batch sizes, for images and for sequences. It also calls a
** block that reads values, and closes the state. Results must have the bits of a thread that runs alone. Starved: a
** third thread constantly frees memory kept for later calls, as refused allocations do. Prints "N rounds, N wrong" and
** fails if any is wrong. Also runs under ThreadSanitizer (make tsan).
*/
#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"

enum { THREADS = 2 };

int luaopen_hybridlua(lua_State *L);

static const char script[] =
  "local hl = require 'hybridlua'\n"
  "local nd, autograd, nn = hl.nd, hl.autograd, hl.gluon.nn\n"
  "local said = {}\n"
  "local function say(x) said[#said + 1] = tostring(x) end\n"
  "nd.set_printoptions { precision = 9 }\n"
  "local loss_of_both, by_shape = hl.gluon.loss.SoftmaxCrossEntropyLoss(), {}\n"
  "for _, hybrid in ipairs { false, true } do\n"
  "  hl.random.seed(3)\n"
  "  local net = nn.HybridSequential()\n"
  "  net:add(nn.Dense(16, { in_units = 8, activation = 'relu' }), nn.BatchNorm { in_channels = 16 }, nn.Dropout(0.5))\n"
  "  net:add(nn.Dense(4, { in_units = 16 }))\n"
  "  net:initialize(hl.init.Xavier())\n"
  "  if hybrid then net:hybridize() end\n"
  "  local trainer = hl.gluon.Trainer(net:collect_params(), 'adam', { learning_rate = 0.01 })\n"
  "  local loss_of = hl.gluon.loss.SoftmaxCrossEntropyLoss()\n"
  "  for step = 1, 6 do\n"
  "    local n = step % 2 == 0 and 12 or 20\n"
  "    local x, y = nd.random.uniform { shape = { n, 8 } }, nd.random.randint(0, 4, { shape = { n } })\n"
  "    local loss = autograd.record(function() return loss_of(net(x), y) end)\n"
  "    loss:backward()\n"
  "    trainer:step(n)\n"
  "    say(loss)\n"
  "    say(net(x):softmax())\n"
  "  end\n"
  "  local Reading = hl.gluon.HybridBlock:subclass 'Reading'\n"
  "  function Reading:hybrid_forward(F, a)\n"
  "    local h = F.square(F.tanh(a) * 2 + 1):exp() - a\n"
  "    if h:max():asscalar() > 100 then return a end\n"
  "    return F.softmax(F.relu(h - 1) / 3 + a)\n"
  "  end\n"
  "  local reading, v = Reading(), nd.random.normal { shape = { 6, 50 } }\n"
  "  if hybrid then reading:hybridize { breaks = true } end\n"
  "  v:attach_grad()\n"
  "  for _ = 1, 4 do\n"
  "    autograd.record(function() return reading(v):sum() end):backward()\n"
  "    say(reading(v):sum() + v.grad:sum())\n"
  "  end\n"
  "  local pictures, sequences = nn.HybridSequential(), nn.HybridSequential()\n"
  "  pictures:add(nn.Conv2D(5, 3, { padding = 1 }), nn.BatchNorm(), nn.Activation 'relu', nn.MaxPool2D(2))\n"
  "  pictures:add(nn.Conv2D(9, 3), nn.GlobalAvgPool2D(), nn.Dense(4))\n"
  "  sequences:add(hl.gluon.rnn.LSTM(6, 2, { layout = 'NTC', bidirectional = true }))\n"
  "  sequences:add(hl.gluon.contrib.nn.TransformerEncoderCell(12, 24, 2), nn.Dense(4))\n"
  "  for net, shape in pairs { [pictures] = { 3, 2, 12, 12 }, [sequences] = { 3, 7, 5 } } do\n"
  "    hl.random.seed(5)\n"
  "    net:initialize(hl.init.Xavier())\n"
  "    if hybrid then net:hybridize { remat = true } end\n"
  "    local data = nd.random.normal { shape = shape }\n"
  "    net(data)\n"
  "    local steps = hl.gluon.Trainer(net:collect_params(), 'sgd', { learning_rate = 0.1 })\n"
  "    local total\n"
  "    for _ = 1, 3 do\n"
  "      total = autograd.record(function() return loss_of_both(net(data), nd.array { 0, 1, 3 }) end)\n"
  "      total:backward()\n"
  "      steps:step(3)\n"
  "    end\n"
  "    by_shape[#shape] = tostring(total)\n"
  "  end\n"
  "  say(by_shape[3])\n"
  "  say(by_shape[4])\n"
  "  local f = hl.compile(function(F, a) return F.tanh(a) * a + F.sum(a, { axis = 1, keepdims = true }) end)\n"
  "  local w = nd.random.normal { shape = { 5, 7 } }\n"
  "  w:attach_grad()\n"
  "  autograd.record(function() return f(w):sum() end):backward()\n"
  "  say(w.grad)\n"
  "  say(hl.sym.load_json(hl.sym.FullyConnected(hl.sym.var 'a', { num_hidden = 3 }):tojson()):tojson())\n"
  "end\n"
  "return table.concat(said)\n";

/* The script's result, in a new state. */
static char *compute(void) {
  lua_State *L = luaL_newstate();
  if (!L) return NULL;
  luaL_openlibs(L);
  luaL_requiref(L, "hybridlua", luaopen_hybridlua, 0);
  lua_settop(L, 0);
  int failed = luaL_loadstring(L, script) != LUA_OK || lua_pcall(L, 0, 1, 0) != LUA_OK;
  const char *said = lua_tostring(L, -1);
  if (failed) fprintf(stderr, "scripts: %s\n", said);
  char *copy = failed ? NULL : strdup(said);
  lua_close(L);
  return copy;
}

typedef struct Work { int rounds, wrong; const char *expected; } Work;

static void *run(void *work) {
  Work *w = work;
  for (int i = 0; i < w->rounds; i++) {
    char *said = compute();
    w->wrong += !said || strcmp(said, w->expected) != 0;
    free(said);
  }
  return NULL;
}

static atomic_bool over;

static void *starve(void *unused) {
  (void)unused;
  while (!atomic_load(&over)) {
    memory_reclaim();
    if (memory_kept() < 0) abort();
    nanosleep(&(struct timespec){ .tv_nsec = 20000 }, NULL);
  }
  return NULL;
}

int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 4, wrong = 0;
  const bool starved = argc > 2;
  char *expected = compute();
  if (!expected) return 1;
  pthread_t thread[THREADS], starving;
  Work work[THREADS];
  if (starved && pthread_create(&starving, NULL, starve, NULL) != 0) return 1;
  for (int i = 0; i < THREADS; i++) {
    work[i] = (Work){ .rounds = rounds, .expected = expected };
    if (pthread_create(&thread[i], NULL, run, &work[i]) != 0) return 1;
  }
  for (int i = 0; i < THREADS; i++) {
    pthread_join(thread[i], NULL);
    wrong += work[i].wrong;
  }
  atomic_store(&over, true);
  if (starved) pthread_join(starving, NULL);
  free(expected);
  printf("%d rounds, %d wrong\n", THREADS * rounds, wrong);
  return wrong > 0;
}
