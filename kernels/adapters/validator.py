"""Judges descriptors of every operator and computes nothing. Try it:
dml-cts run --backend "exec:python3 kernels/adapters/validator.py" --strict-reasons --allow-skip create-only"""

from dml_program import serve

if __name__ == "__main__":
    serve("validator", "1", None, feature_level="6.4", can=("create", "exact"))
