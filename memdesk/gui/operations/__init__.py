"""User actions as tiny keyword-only functions that return a :class:`~memdesk.gui.bridge.ServiceOp`."""
