"""Every Protocol implemented elsewhere is in ``ports``, where authors of new parts look for it."""

import ast
from pathlib import Path

import memdesk

ROOT = Path(memdesk.__file__).parent


def test_the_services_and_the_domain_declare_no_ports():
    found = [
        f"{file.relative_to(ROOT)}: {node.name}"
        for room in ("services", "domain")
        for file in sorted((ROOT / room).rglob("*.py"))
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
        if any(isinstance(base, ast.Name) and base.id == "Protocol" for base in node.bases)
    ]
    assert found == []


def test_no_port_names_what_one_store_is_made_of():
    words = ("sqlite", "sqlcipher", "fts5", "wal", "hnsw", "rowid", "postgres")
    needed = {"store.py", "upkeep.py"}  # what only an encrypted file needs
    found = [
        (file.name, word)
        for file in sorted((ROOT / "ports").glob("*.py"))
        if file.name not in needed
        for word in words
        if word in file.read_text(encoding="utf-8").lower().replace("walk", "")
    ]
    assert found == []
