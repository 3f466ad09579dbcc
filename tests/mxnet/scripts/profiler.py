"""Profile a product of matrices, an executor and objects of one's own."""

import json
import os
import tempfile

import mxnet as mx
from mxnet import profiler

folder = tempfile.mkdtemp()
path = os.path.join(folder, "profile_matmul.json")
mx.profiler.set_config(
    profile_symbolic=True,
    profile_imperative=True,
    profile_memory=False,
    profile_api=False,
    aggregate_stats=True,
    filename=path,
)
A = mx.sym.Variable("A")
B = mx.sym.Variable("B")
C = mx.symbol.dot(A, B)
executor = C.simple_bind(ctx=mx.cpu(), grad_req="write", A=(32, 32), B=(32, 32))
a = mx.random.uniform(-1.0, 1.0, shape=(32, 32))
b = mx.random.uniform(-1.0, 1.0, shape=(32, 32))
a.copyto(executor.arg_dict["A"])
b.copyto(executor.arg_dict["B"])
print("execution begin")
for i in range(6):
    if i == 2:
        mx.profiler.set_state("run")
    if i == 5:
        mx.profiler.set_state("stop")
    executor.forward()
    c = executor.outputs[0]
    c.wait_to_read()
print("execution end", c.shape)

profiler.set_state("run")
domain = profiler.Domain("mine")
task = profiler.Task(domain, "a task")
task.start()
x = mx.nd.dot(a, b)
mx.nd.waitall()
task.stop()
counter = domain.new_counter("counted", 3)
counter.increment(2)
counter -= 1
event = profiler.Event("an event")
event.start()
(x * 2).asnumpy()
event.stop()
frame = domain.new_frame("a frame")
frame.start()
frame.stop()
domain.new_marker("here").mark("process")
profiler.pause()
(x + 1).asnumpy()
profiler.resume()
profiler.set_state("stop")
text = profiler.dumps()
print("dot" in text, "a task" in text or "mine" in text)
profiler.dump()
print(sorted(os.listdir(folder)))
with open(path) as file:
    found = json.load(file)
names = {event.get("name") for event in found["traceEvents"]}
print(sorted(names & {"dot", "a task", "an event", "here", "a frame", "counted"}))
