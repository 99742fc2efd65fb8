"""A shopping list: an app that knows nothing of Touchstone but how its judge asks for its state."""

import html
import json
import os
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs

state = {"items": [], "shop": "Corner shop"}


def page():
    rows = "".join(f"<li>{html.escape(item)}</li>" for item in state["items"])
    return f"""<!doctype html><meta charset="utf-8"><title>Shopping</title><h1>Shopping list</h1><ul>{rows}</ul>
<form method="post" action="/add"><label>Item <input name="item"></label> <button>Add</button></form>
<p>Shop: {html.escape(state["shop"])}</p>
<form method="post" action="/shop"><label>Another shop <input name="shop"></label> <button>Change</button></form>"""


class Shop(BaseHTTPRequestHandler):
    def do_GET(self):
        if self.path == "/":
            self.answer(200, "text/html; charset=utf-8", page())
        elif self.path == "/__state" and self.is_judge():
            self.answer(200, "application/json", json.dumps(state))
        else:
            self.answer(404, "text/plain", "not found")

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0))).decode()
        if self.path == "/add":
            state["items"].extend(parse_qs(body).get("item", []))
            self.back()
        elif self.path == "/shop":
            state["shop"] = parse_qs(body).get("shop", [""])[0]
            self.back()
        elif self.path == "/__reset" and self.is_judge():
            state["items"] = json.loads(body)["items"].split(",")
            self.answer(200, "text/plain", "as it was")
        else:
            self.answer(404, "text/plain", "not found")

    def is_judge(self):
        return self.headers.get("touchstone-secret") == os.environ["TOUCHSTONE_SECRET"]

    def back(self):
        self.send_response(303)
        self.send_header("location", "/")
        self.send_header("content-length", "0")
        self.end_headers()

    def answer(self, status, kind, text):
        content = text.encode()
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Shop).serve_forever()
