"""The first start: recovery code, model, name, import."""
