"""LSTM and GRU."""

import numpy as np

import page
from data import Data
from judge import NAME, NUMPY, onnx_op
from vector_io import Operator, Tensor, typed

DIRECTIONS = {"forward": "DML_RECURRENT_NETWORK_DIRECTION_FORWARD", "reverse": "DML_RECURRENT_NETWORK_DIRECTION_BACKWARD", "bidirectional": "DML_RECURRENT_NETWORK_DIRECTION_BIDIRECTIONAL"}
LENGTH, BATCH, INPUT, HIDDEN = 3, 2, 2, 2


def recurrent(op, onnx_name, gates, activations, cases):
    """Each case: name, direction, which optional inputs there are, lengths, other activations, extra fields, note."""
    data = Data(onnx_name)
    has_cell = onnx_name == "LSTM"
    for name, direction, present, lengths, others, extra, note in cases:
        count = 2 if direction == "bidirectional" else 1
        tensors = {
            "InputTensor": data.parts([1, LENGTH, BATCH, INPUT], -2, 2),
            "WeightTensor": data.parts([1, count, gates * HIDDEN, INPUT], -1, 1),
            "RecurrenceTensor": data.parts([1, count, gates * HIDDEN, HIDDEN], -1, 1),
        }
        if "bias" in present:
            tensors["BiasTensor"] = data.parts([1, 1, count, 2 * gates * HIDDEN], -1, 1)
        if "hidden" in present:
            tensors["HiddenInitTensor"] = data.parts([1, count, BATCH, HIDDEN], -1, 1)
        if "cell" in present:
            tensors["CellMemInitTensor"] = data.parts([1, count, BATCH, HIDDEN], -1, 1)
        if lengths:
            tensors["SequenceLengthsTensor"] = typed("UINT32", lengths, [1, 1, 1, BATCH])
        if "peephole" in present:
            tensors["PeepholeTensor"] = data.parts([1, 1, count, 3 * HIDDEN], -1, 1)
        descs = others or activations * count
        fields = {"ActivationDescCount": len(descs), "ActivationDescs": descs, "Direction": DIRECTIONS[direction], **extra}
        sizes = {"OutputSequenceTensor": [LENGTH, count, BATCH, HIDDEN], "OutputSingleTensor": [1, count, BATCH, HIDDEN]}
        if has_cell:
            sizes["OutputCellSingleTensor"] = [1, count, BATCH, HIDDEN]
        if "only-single" in present:
            del sizes["OutputSequenceTensor"]
        arrays = {k: t.wide() for k, t in tensors.items()}
        by_page = others or extra.get("UseClipThreshold") or extra.get("CoupleInputForget")
        if by_page:
            results = page.PAGE[onnx_name](fields, arrays, sizes)
        else:
            results = by_onnx(onnx_name, arrays, lengths, direction, extra)
        undefined = []
        if lengths:
            undefined = [int(i) for i in np.ravel_multi_index(np.array([
                (t, d, b, h) for t in range(LENGTH) for d in range(count) for b in range(BATCH) for h in range(HIDDEN) if t >= lengths[b]
            ]).T, (LENGTH, count, BATCH, HIDDEN))]
        outputs = {k: Tensor("FLOAT32", np.asarray(results[k]).reshape(s), undefined if k == "OutputSequenceTensor" else ()) for k, s in sizes.items()}
        notes = [note] if note else []
        if by_page:
            notes.append("by the page, in NumPy")
        op.case(name, fields, tensors, outputs, "; ".join(notes) or None)
    return op


def by_onnx(onnx_name, arrays, lengths, direction, extra):
    """One evaluation, or one for each member of the batch, cut to its length (the evaluator ignores sequence_lens)."""
    x, w, r = arrays["InputTensor"][0], arrays["WeightTensor"][0], arrays["RecurrenceTensor"][0]
    bias = arrays["BiasTensor"][0, 0] if "BiasTensor" in arrays else None
    hidden = arrays["HiddenInitTensor"][0] if "HiddenInitTensor" in arrays else None
    cell = arrays["CellMemInitTensor"][0] if "CellMemInitTensor" in arrays else None
    peephole = arrays["PeepholeTensor"][0, 0] if "PeepholeTensor" in arrays else None
    names = ["OutputSequenceTensor", "OutputSingleTensor", "OutputCellSingleTensor"]
    groups = [(slice(b, b + 1), n) for b, n in enumerate(lengths)] if lengths else [(slice(0, BATCH), LENGTH)]
    parts = []
    for members, length in groups:
        def of(state):
            return None if state is None else state[:, members]
        if onnx_name == "LSTM":
            got = onnx_op.LSTM(x[:length, members], w, r, bias, None, of(hidden), of(cell), peephole, hidden_size=HIDDEN, direction=direction, outputs=3)
        else:
            linear = int(extra["LinearBeforeReset"])
            got = onnx_op.GRU(x[:length, members], w, r, bias, None, of(hidden), hidden_size=HIDDEN, direction=direction, linear_before_reset=linear, outputs=2)
        y = np.zeros((LENGTH,) + got[0].shape[1:])
        y[:length] = got[0]
        parts.append([y, *got[1:]])
    axes = [2, 1, 1]
    return {names[i]: np.concatenate([p[i] for p in parts], axes[i]) for i in range(len(parts[0]))}


def lstm():
    op = Operator("LSTM", f"{NAME}, LSTM; {NUMPY} from the page for what it ignores: other activations, clip, coupled gates")
    sigmoid, tanh = {"operator": "ACTIVATION_SIGMOID"}, {"operator": "ACTIVATION_TANH"}
    hard, soft = {"operator": "ACTIVATION_HARD_SIGMOID", "Alpha": 0.25, "Beta": 0.5}, {"operator": "ACTIVATION_SOFTSIGN"}
    scaled, leaky = {"operator": "ACTIVATION_SCALED_TANH", "Alpha": 1.5, "Beta": 0.5}, {"operator": "ACTIVATION_LEAKY_RELU", "Alpha": 0.125}
    plain = {"ClipThreshold": 0.0, "UseClipThreshold": False, "CoupleInputForget": False}
    peep = "the output gate's peephole reads the new cell, as in ONNX: the page shows its formulas as pictures only"
    beyond = "the sequence output beyond a length is open, and 0 here"
    return recurrent(op, "LSTM", 4, [sigmoid, tanh, tanh], [
        ("forward", "forward", (), None, None, plain, None),
        ("forward-bias-states", "forward", ("bias", "hidden", "cell"), None, None, plain, None),
        ("backward-bias", "reverse", ("bias", "cell"), None, None, plain, None),
        ("bidirectional", "bidirectional", ("bias", "hidden"), None, None, plain, None),
        ("peephole", "forward", ("bias", "cell", "peephole"), None, None, plain, peep),
        ("lengths-forward", "forward", ("bias",), [2, 3], None, plain, beyond),
        ("lengths-bidirectional", "bidirectional", ("hidden", "cell", "only-single"), [1, 2], None, plain, "backward starts at the end of each sequence"),
        ("lengths-backward", "reverse", ("bias",), [3, 1], None, plain, beyond),
        ("other-activations", "forward", ("bias", "hidden"), None, [hard, soft, scaled], plain, None),
        ("other-activations-bidirectional", "bidirectional", ("bias",), None, [hard, tanh, leaky, sigmoid, soft, tanh], plain, "f, g, h for each direction"),
        ("clip", "forward", ("bias",), None, None, {"ClipThreshold": 0.75, "UseClipThreshold": True, "CoupleInputForget": False}, "no cell leaves the limits, so that it does not matter whether it is clipped before h()"),
        ("threshold-unused", "forward", ("bias",), None, None, {"ClipThreshold": 0.125, "UseClipThreshold": False, "CoupleInputForget": False}, None),
        ("coupled", "reverse", ("bias", "cell"), None, None, {"ClipThreshold": 0.0, "UseClipThreshold": False, "CoupleInputForget": True}, "the forget gate is 1 - input gate: ONNX Runtime's reading, the page gives no formula"),
    ])


def gru():
    op = Operator("GRU", f"{NAME}, GRU; {NUMPY} from the page for other activations, which it ignores")
    sigmoid, tanh = {"operator": "ACTIVATION_SIGMOID"}, {"operator": "ACTIVATION_TANH"}
    hard, soft = {"operator": "ACTIVATION_HARD_SIGMOID", "Alpha": 0.25, "Beta": 0.5}, {"operator": "ACTIVATION_SOFTSIGN"}
    relu = {"operator": "ACTIVATION_RELU"}
    before, after = {"LinearBeforeReset": True}, {"LinearBeforeReset": False}
    beyond = "the sequence output beyond a length is open, and 0 here"
    return recurrent(op, "GRU", 3, [sigmoid, tanh], [
        ("forward", "forward", (), None, None, after, None),
        ("forward-bias-state", "forward", ("bias", "hidden"), None, None, after, None),
        ("linear-before-reset", "forward", ("bias", "hidden"), None, None, before, None),
        ("backward", "reverse", ("bias",), None, None, before, None),
        ("bidirectional", "bidirectional", ("bias", "hidden"), None, None, after, None),
        ("lengths-forward", "forward", ("bias",), [3, 1], None, before, beyond),
        ("lengths-bidirectional", "bidirectional", ("hidden", "only-single"), [2, 1], None, after, "backward starts at the end of each sequence"),
        ("other-activations", "bidirectional", ("bias",), None, [hard, relu, sigmoid, soft], after, "f, g for each direction"),
    ])


def operators():
    return [lstm(), gru()]
