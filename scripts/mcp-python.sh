#!/bin/sh
# Uses every tool of the MCP server with the Python SDK, over stdio and HTTP; needs Python 3.10 and pip.
#   npm run build && scripts/mcp-python.sh
set -eu
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check mcp==2.3.0
"$work/venv/bin/python" scripts/mcp-python.py
