"""Uses every tool of the MCP server with the Python SDK, a client that is not ours.

scripts/mcp-python.sh installs the SDK and runs this over stdio in both generations of the protocol, and over HTTP.
"""

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

from mcp import Client, StdioServerParameters

CLI = str(Path(__file__).parent.parent / "dist" / "cli.js")


class LanguageModel(BaseHTTPRequestHandler):
    """Finds the same lesson in everything."""

    def do_POST(self):
        self.rfile.read(int(self.headers["content-length"]))
        lesson = {"category": "gotchas", "title": "Cookies", "content": "Renew the cookie after a change of password."}
        message = {"role": "assistant", "content": json.dumps({"learnings": [lesson]})}
        body = json.dumps({"choices": [{"index": 0, "finish_reason": "stop", "message": message}]}).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def make_project(directory: str) -> str:
    files = {
        ".knowledge/features/login/feature.json": '{ "id": "login", "title": "Login", "status": "done" }',
        ".knowledge/features/login/reflection.md": "## What went wrong\nThe cookie was not renewed.\n",
        ".knowledge/features/login/agent-output.md": "The login works.\n",
        "docs/locks.md": "## Locks\nWriters wait for the write lock, up to 15 seconds.\n",
    }
    for name, text in files.items():
        path = Path(directory, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return os.path.realpath(directory)


async def use_everything(client: Client, project: str) -> None:
    used = set()
    progress = []

    async def told(done, total, message):
        progress.append((done, total))

    async def call(name, expected, **arguments):
        used.add(name)
        result = await client.call_tool(name, {"project": project, **arguments}, progress_callback=told)
        text = "\n".join(part.text for part in result.content)
        assert not result.is_error and expected in text, f"{name}: {text}"
        assert result.structured_content is not None, name
        print(f"  {name}: {text.splitlines()[0][:100]}")
        return text

    tools = (await client.list_tools()).tools
    size = len(json.dumps([tool.model_dump(exclude_none=True, by_alias=True, mode="json") for tool in tools]))
    assert size <= 10_000, f"the list of tools has {size} bytes"
    await call("ingest", "The index holds 3 files.")
    await call("search", "id: docs/locks.md#0", query="write lock", max_results=3, source_types=["file"], min_relevance=0)
    await call("lessons", "cookie", title="Change of password: cookie")
    await call("similar", "docs/locks.md#0", text="writers wait for the write lock")
    await call("get", "up to 15 seconds", id="docs/locks.md#0")
    await call("get", "lines: 1 to 1 of 2", source_file="docs/locks.md", **{"from": 1, "to": 1})
    await call("save_note", "Saved as", title="Shipping", content="Versions go out on Tuesdays.", tags=["ops"], id="ship")
    await call("search", "notes/ship.md#0", query="Tuesdays", tags=["ops"])
    await call("save_note", "Saved as", title="Shipping", content="Versions go out on Mondays.", id="ship", replace=True)
    await call("delete_note", "is deleted", id="ship")
    await call("complete_feature", "lessons added", feature_id="login")
    await call("status", f"Project: {project}")
    wrong = await client.call_tool("search", {"project": project, "query": "a", "max_tokens": 0})
    assert wrong.is_error and wrong.content[0].text.startswith("max_tokens must be"), wrong

    unused = {tool.name for tool in tools} - used
    assert not unused, f"never used: {unused}"
    print(f"  all {len(tools)} tools, {size} bytes of list, {len(progress)} notifications of progress")


async def over_stdio(mode: str, env: dict) -> None:
    with tempfile.TemporaryDirectory() as directory:
        project = make_project(directory)
        os.chdir(project)
        server = StdioServerParameters(command="node", args=[CLI, "mcp", "--project", project], env=env)
        print(f"stdio, {mode}")
        async with Client(server, mode=mode) as client:
            await use_everything(client, project)
        os.chdir("/")


async def over_http(env: dict) -> None:
    command = ["node", CLI, "serve", "--port", "0"]
    service = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        url = service.stdout.readline().split()[2]
        print("streamable HTTP")
        with tempfile.TemporaryDirectory() as directory:
            async with Client(f"{url}/mcp") as client:
                await use_everything(client, make_project(directory))
    finally:
        service.terminate()
        service.wait()


async def main() -> None:
    model = HTTPServer(("127.0.0.1", 0), LanguageModel)
    threading.Thread(target=model.serve_forever, daemon=True).start()
    env = {
        **os.environ,
        "KNOWLEDGE_OFFLINE": "1",
        "OPENAI_BASE_URL": f"http://127.0.0.1:{model.server_port}/v1",
        "OPENAI_MODEL": "a-model",
    }
    for mode in ("auto", "legacy"):
        await over_stdio(mode, env)
    await over_http(env)
    print("Every tool works with the Python SDK.")


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
