"""Embeds windows of token ids with Python's onnxruntime, one window a run as the product does.

Reads {"model": file, "threads": n, "windows": [[id, ...], ...]} as JSON, and prints {"seconds", "processorSeconds"}.
"""

import json
import sys
import time

import numpy
import onnxruntime

request = json.load(sys.stdin)
options = onnxruntime.SessionOptions()
options.intra_op_num_threads = request["threads"]
options.inter_op_num_threads = 1
session = onnxruntime.InferenceSession(request["model"], options, providers=["CPUExecutionProvider"])


def embed(window):
    ids = numpy.array([window], dtype=numpy.int64)
    inputs = {"input_ids": ids, "attention_mask": numpy.ones_like(ids), "token_type_ids": numpy.zeros_like(ids)}
    return session.run(["last_hidden_state"], inputs)[0].mean(axis=1)


embed(request["windows"][0])
begin, used = time.perf_counter(), time.process_time()
for window in request["windows"]:
    embed(window)
print(json.dumps({"seconds": time.perf_counter() - begin, "processorSeconds": time.process_time() - used}))
