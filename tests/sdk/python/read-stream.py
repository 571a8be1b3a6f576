"""Reads a stream in blocks, as the event source library of the SDK for Python does, and prints each block as JSON."""

import json
import os

import urllib3

headers = json.loads(os.environ["STREAM_HEADERS"])
response = urllib3.PoolManager().request("GET", os.environ["STREAM_URL"], headers=headers, preload_content=False)
print(json.dumps({"status": response.status, "version": urllib3.__version__}), flush=True)
for block in response.stream(10_000):
    print(json.dumps(block.decode("utf-8")), flush=True)
print(json.dumps("the end"), flush=True)
