"""Declares a file of routes: its tag and what its callers need."""

from collections.abc import Callable
from typing import Any, Final

from fastapi import APIRouter, Depends, FastAPI

from memdesk.api.auth import needs
from memdesk.services.container import Services

READ: Final = [Depends(needs("memory:read"))]
WRITE: Final = [Depends(needs("memory:write"))]
#: For what ``admin`` changes: whoever may change it may see it.
READ_OPTIONS: Final = [Depends(needs("memory:read", "admin", whole=True))]


def feature(
    tag: str, *rights: Callable[..., Any]
) -> Callable[[Callable[[APIRouter, Services], None]], Callable[[FastAPI], APIRouter]]:
    """Return a decorator that turns a function adding routes into a router; each route needs all of ``rights``."""

    def declared(add: Callable[[APIRouter, Services], None]) -> Callable[[FastAPI], APIRouter]:
        def router(app: FastAPI) -> APIRouter:
            routes = APIRouter(tags=[tag], dependencies=[Depends(right) for right in rights])
            add(routes, app.state.services)
            return routes

        return router

    return declared
