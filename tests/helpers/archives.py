"""Archives of other programs, as they write them."""

from __future__ import annotations

import json
import zipfile


def chatgpt_archive(path, *, said="My kayak number {} is red."):
    """A ChatGPT export with two chats, as its ZIP holds them; each begins with ``said`` and its number."""

    def message(ident, role, text, parent):
        content = {"content_type": "text", "parts": [text]}
        body = {"id": ident, "author": {"role": role}, "create_time": 1700000000.0, "content": content}
        return {"id": ident, "message": body, "parent": parent, "children": []}

    chats = []
    for number in range(2):
        nodes = {
            "root": {"id": "root", "message": None, "parent": None, "children": ["a"]},
            "a": message("a", "user", said.format(number), "root"),
            "b": message("b", "assistant", "A fine color.", "a"),
        }
        nodes["a"]["children"] = ["b"]
        chats.append(
            {
                "id": f"chat-{number}",
                "conversation_id": f"chat-{number}",
                "title": f"Kayak {number}",
                "create_time": 1700000000.0,
                "update_time": 1700000100.0,
                "current_node": "b",
                "mapping": nodes,
            }
        )
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("conversations.json", json.dumps(chats))
