"""Operators that read between elements."""

import numpy as np

import page
from data import Data
from judge import NAME, NUMPY, onnx_op
from vector_io import Operator, Tensor, f32, typed

UP, DOWN = "DML_AXIS_DIRECTION_INCREASING", "DML_AXIS_DIRECTION_DECREASING"
NEAREST, LINEAR = "DML_INTERPOLATION_MODE_NEAREST_NEIGHBOR", "DML_INTERPOLATION_MODE_LINEAR"

# ONNX's coordinate transformation as DirectML's offsets: x = (o - output) / scale - input.
OFFSETS = {"half_pixel": (0.5, -0.5), "asymmetric": (0.0, 0.0), "align_corners": (0.0, 0.0)}
# ONNX's ways to round, as a direction and a shift of the input offset.
ROUNDING = {"floor": (DOWN, 0.0), "ceil": (UP, 0.0), "round_prefer_floor": (UP, 0.5), "round_prefer_ceil": (DOWN, -0.5)}


def resample2():
    op = Operator("RESAMPLE2", f"{NAME}, Resize; {NUMPY} from the page for an output beyond the scaled input")
    data = Data("RESAMPLE")
    for name, type_name, sizes, out, transformation, mode, rounding in [
        ("linear-half-pixel-up", "FLOAT32", [1, 1, 2, 3], [1, 1, 4, 6], "half_pixel", "linear", None),
        ("linear-half-pixel-down", "FLOAT32", [1, 2, 4, 4], [1, 2, 2, 1], "half_pixel", "linear", None),
        ("linear-asymmetric", "FLOAT32", [2, 3], [2, 6], "asymmetric", "linear", None),
        ("linear-align-corners", "FLOAT32", [1, 3, 2], [1, 5, 3], "align_corners", "linear", None),
        ("linear-one-dimension", "FLOAT32", [4], [8], "half_pixel", "linear", None),
        ("linear-all-dimensions", "FLOAT32", [2, 2, 1, 2], [4, 4, 1, 4], "half_pixel", "linear", None),
        ("nearest-floor", "FLOAT32", [1, 1, 2, 3], [1, 1, 4, 6], "asymmetric", "nearest", "floor"),
        ("nearest-ceil", "UINT8", [3, 2], [6, 4], "asymmetric", "nearest", "ceil"),
        ("nearest-half-pixel-floor", "INT8", [4, 2], [2, 4], "half_pixel", "nearest", "floor"),
        ("nearest-half-pixel-ceil", "FLOAT32", [1, 4], [1, 8], "half_pixel", "nearest", "ceil"),
        ("nearest-round-prefer-floor", "FLOAT32", [4, 3], [8, 6], "asymmetric", "nearest", "round_prefer_floor"),
        ("nearest-round-prefer-ceil", "FLOAT32", [4, 3], [8, 6], "asymmetric", "nearest", "round_prefer_ceil"),
        ("nearest-align-corners", "FLOAT32", [3, 2], [5, 3], "align_corners", "nearest", "round_prefer_floor"),
    ]:
        x = data.distinct(type_name, sizes, 1) if type_name != "FLOAT32" else data.whole(type_name, sizes, -32, 32)
        scales = [o / i if transformation != "align_corners" or o == i else (o - 1) / (i - 1) for o, i in zip(out, sizes)]
        keywords = {"nearest_mode": rounding} if rounding else {}
        y = onnx_op.Resize(x.wide(), None, None, np.asarray(out, np.int64), mode=mode, coordinate_transformation_mode=transformation, **keywords)
        direction, shift = ROUNDING[rounding] if rounding else (DOWN, 0.0)
        into, out_of = OFFSETS[transformation]
        fields = {
            "InterpolationMode": LINEAR if mode == "linear" else NEAREST, "RoundingDirection": direction, "DimensionCount": len(sizes),
            "Scales": scales, "InputPixelOffsets": [into + shift] * len(sizes), "OutputPixelOffsets": [out_of] * len(sizes),
        }
        op.case(name, fields, {"InputTensor": x}, {"OutputTensor": Tensor(type_name, y)}, f"{transformation}, {rounding}" if rounding else transformation)
    x = data.whole("FLOAT32", [2, 3], -32, 32)
    base = {"InterpolationMode": LINEAR, "RoundingDirection": UP, "DimensionCount": 2, "Scales": [2.0, 2.0], "InputPixelOffsets": [0.5, 0.5], "OutputPixelOffsets": [-0.5, -0.5]}
    full = onnx_op.Resize(x.wide(), None, None, np.asarray([4, 6], np.int64), mode="linear", coordinate_transformation_mode="half_pixel")
    op.case("linear-cropped", base, {"InputTensor": x}, {"OutputTensor": Tensor("FLOAT32", full[:3, :5])}, "the output is smaller than the scaled input; linear ignores the direction")
    clamped = page.PAGE["RESAMPLE2"](base, {"InputTensor": x.wide()}, {"OutputTensor": [5, 8]})["OutputTensor"]
    op.case("linear-beyond-the-edge", base, {"InputTensor": x}, {"OutputTensor": Tensor("FLOAT32", clamped)}, "the output is larger than the scaled input; by the page, in NumPy")
    return op


def roi_pooling():
    op = Operator("ROI_POOLING", f"{NUMPY} from the page (the reference evaluator lacks MaxRoiPool)")
    data = Data("ROI_POOLING")
    for name, sizes, rois, scale, pooled, note in [
        ("one-region", [1, 1, 4, 5], [[0, 1, 0, 3, 2]], 1.0, [2, 2], "windows overlap"),
        ("batches-and-channels", [2, 2, 3, 3], [[1, 0, 0, 2, 2], [0, 1, 1, 2, 2]], 1.0, [1, 2], None),
        ("scaled", [1, 1, 5, 5], [[0, 2, 0, 8, 6], [0, 0, 4, 6, 8]], 0.5, [2, 3], None),
        ("rounded", [1, 1, 4, 4], [[0, 1.25, 0.75, 5.75, 5.25]], 0.5, [2, 2], "no coordinate lies half way"),
        ("beyond-the-edge", [1, 1, 4, 4], [[0, 2, 1, 4, 4]], 1.0, [2, 2], "every window keeps an element within the input"),
    ]:
        x, roi = data.whole("FLOAT32", sizes, -20, 20), f32(rois, [1, 1, len(rois), 5])
        fields = {"SpatialScale": scale, "PooledSize": {"Width": pooled[1], "Height": pooled[0]}}
        out = [len(rois), sizes[1]] + pooled
        y = page.PAGE["ROI_POOLING"](fields, {"InputTensor": x.wide(), "ROITensor": roi.wide()}, {"OutputTensor": out})["OutputTensor"]
        op.case(name, fields, {"InputTensor": x, "ROITensor": roi}, {"OutputTensor": Tensor("FLOAT32", y)}, note)
    return op


def roi_align():
    plain, offset = Operator("ROI_ALIGN", f"{NAME}, RoiAlign with half_pixel; {NUMPY} from the page of ROI_ALIGN1 for MAX and NEAREST_NEIGHBOR"), Operator("ROI_ALIGN1", f"{NAME}, RoiAlign; {NUMPY} from the page for MAX and NEAREST_NEIGHBOR")
    data = Data("ROI_ALIGN")
    for name, sizes, rois, batches, out, scales, samples, transformation, mode, reduction, roi_rank, note in [
        ("average-one-sample", [1, 1, 4, 5], [[1, 1, 4, 3]], [0], [2, 2], [1.0, 1.0], [1, 1], "half_pixel", "linear", "AVERAGE", 2, None),
        ("average-four-samples", [2, 2, 4, 4], [[0.5, 1, 3.5, 3], [1, 0.5, 3, 3.25]], [1, 0], [2, 1], [1.0, 1.0], [2, 2], "half_pixel", "linear", "AVERAGE", 4, None),
        ("adaptive", [1, 1, 5, 5], [[0.5, 0.5, 4.5, 4.5]], [0], [2, 1], [1.0, 1.0], [1, 4294967295], "half_pixel", "linear", "AVERAGE", 3, "samples: the size of the region over the output's, a whole number here"),
        ("scaled-axes", [1, 1, 4, 6], [[2, 0.5, 9, 1.5]], [0], [1, 2], [0.5, 2.0], [2, 2], "half_pixel", "linear", "AVERAGE", 2, "a scale for each axis, applied by Mul before RoiAlign"),
        ("inverted", [1, 1, 4, 5], [[4, 3, 1, 1]], [0], [2, 3], [1.0, 1.0], [2, 2], "half_pixel", "linear", "AVERAGE", 2, "x2 < x1 mirrors"),
        ("empty", [1, 1, 3, 3], [[1.75, 2, 1.75, 2]], [0], [2, 2], [1.0, 1.0], [1, 1], "half_pixel", "linear", "AVERAGE", 2, "every output reads the same place"),
        ("maximum", [1, 1, 4, 5], [[1, 1, 4, 3]], [0], [2, 1], [1.0, 1.0], [2, 2], "half_pixel", "linear", "MAX", 2, "the largest interpolated sample; ONNX's MAX takes the largest weighted corner instead"),
        ("nearest", [1, 1, 4, 5], [[1, 0.5, 4, 3]], [0], [2, 2], [1.0, 1.0], [1, 1], "half_pixel", "nearest", "AVERAGE", 2, "no sample lies half way"),
        ("corner-offset", [1, 2, 4, 4], [[0, 0, 2, 3]], [0], [2, 2], [1.0, 1.0], [1, 1], "output_half_pixel", "linear", "AVERAGE", 2, None),
        ("corner-offset-maximum", [1, 1, 4, 4], [[0, 0, 3, 2]], [0], [1, 2], [1.0, 1.0], [2, 2], "output_half_pixel", "linear", "MAX", 2, None),
    ]:
        x, roi = data.whole("FLOAT32", sizes, -16, 16), f32(rois, [1] * (roi_rank - 2) + [len(rois), 4])
        index = typed("UINT32", batches, [1] * max(0, roi_rank - 2) + [len(rois)])
        into = 0.5 if transformation == "half_pixel" else 0.0
        common = {
            "ReductionFunction": f"DML_REDUCE_FUNCTION_{reduction}", "InterpolationMode": LINEAR if mode == "linear" else NEAREST,
            "SpatialScaleX": scales[0], "SpatialScaleY": scales[1],
        }
        rest = {"OutOfBoundsInputValue": 0.0, "MinimumSamplesPerOutput": samples[0], "MaximumSamplesPerOutput": samples[1]}
        full = {**common, "InputPixelOffset": into, "OutputPixelOffset": -0.5, **rest, "AlignRegionsToCorners": False}
        if mode == "linear" and reduction == "AVERAGE":
            regions = onnx_op.Mul(np.asarray(rois, np.float64), np.asarray(scales * 2))
            y = onnx_op.RoiAlign(
                x.wide(), regions, np.asarray(batches, np.int64), output_height=out[0], output_width=out[1], mode="avg",
                sampling_ratio=samples[0] if samples[0] == samples[1] else 0, spatial_scale=1.0, coordinate_transformation_mode=transformation,
            )
        else:
            arrays = {"InputTensor": x.wide(), "ROITensor": roi.wide(), "BatchIndicesTensor": index.array}
            y = page.PAGE["ROI_ALIGN1"](full, arrays, {"OutputTensor": [len(rois), sizes[1]] + out})["OutputTensor"]
        tensors, outputs = {"InputTensor": x, "ROITensor": roi, "BatchIndicesTensor": index}, {"OutputTensor": Tensor("FLOAT32", y)}
        offset.case(name, full, tensors, outputs, note)
        if transformation == "half_pixel":
            plain.case(name, {**common, **rest}, tensors, outputs, note)
    return [plain, offset]


def operators():
    return [resample2(), roi_pooling(), *roi_align()]
