-- rnn - recurrent cells of the Symbol API, and their data and checkpoints: hl.rnn. Gluon's cells are gluon.rnn.
local FILES = {
  base_cell = "BaseRNNCell RNNParams", symbol_cells = "RNNCell LSTMCell GRUCell FusedRNNCell",
  conv_cells = "BaseConvRNNCell ConvRNNCell ConvLSTMCell ConvGRUCell",
  cell_stacks = "SequentialRNNCell BidirectionalCell",
  modifier_cells = "DropoutCell ModifierCell ZoneoutCell ResidualCell",
  checkpoints = "save_rnn_checkpoint load_rnn_checkpoint do_rnn_checkpoint",
  sentences = "encode_sentences BucketSentenceIter",
}

return require "hybridlua.language.module"({}, "hybridlua.rnn",
  require "hybridlua.language.members"("hybridlua.rnn", FILES))
