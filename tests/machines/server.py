"""A server of chat completions, written to OpenAI's reference: answers, usage, and errors with their bodies."""

import json
import re
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

KEY = "sk-secret"
MODEL = "judge-1"


def error(status, message, code=None, **headers):
    """An error as the reference describes it."""
    body = {"error": {"message": message, "type": "error", "param": None, "code": code}}
    return status, {name.replace("_", "-"): value for name, value in headers.items()}, body


def completion(text, *, usage=True):
    """An answer as the reference describes it."""
    body = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1741569952,
        "model": "judge-1-2026-01-01",
        "system_fingerprint": "fp_1",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": text, "refusal": None},
                "logprobs": None,
                "finish_reason": "stop",
            }
        ],
    }
    if usage:
        body["usage"] = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
    return 200, {}, body


class ChatServer(ThreadingHTTPServer):
    """Answers with what is queued in `replies`, texts or errors, then with `answer` of the request's user message."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Receiver)
        self.replies, self.received = [], []
        self.answer = lambda prompt: json.dumps({"rating": len(prompt) % 5})
        self.url = f"http://127.0.0.1:{self.server_port}/v1"

    @property
    def prompts(self):
        return [body["messages"][1]["content"] for _, body in self.received]

    def reply_to(self, path, headers, body):
        if path != "/v1/chat/completions":
            return error(404, "Not found")
        if headers.get("Authorization") != f"Bearer {KEY}":
            return error(401, "Incorrect API key provided.", "invalid_api_key")
        if body["model"] != MODEL:
            return error(404, f"The model `{body['model']}` does not exist", "model_not_found")
        if not all(isinstance(message.get("content"), str) for message in body["messages"]):
            return error(400, "Invalid messages")
        self.received.append((headers, body))
        queued = self.replies.pop(0) if self.replies else self.answer(body["messages"][1]["content"])
        return completion(queued) if isinstance(queued, str) else queued


class Receiver(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        sent = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        status, headers, body = self.server.reply_to(self.path, dict(self.headers), sent)
        content = json.dumps(body).encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *arguments):
        pass


def choose_longest(prompt):
    """The number of the item with the longest text as best, of the one with the shortest as worst."""
    texts = {int(number): text for number, text in re.findall(r"^\w+ (\d+):\n(.*?)(?=\n\n|\Z)", prompt, re.M | re.S)}
    by_length = sorted(texts, key=lambda number: (len(texts[number]), number))
    return json.dumps({"best": by_length[-1], "worst": by_length[0]})


@contextmanager
def serving():
    server = ChatServer()
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
