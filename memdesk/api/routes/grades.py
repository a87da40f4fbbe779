"""Models as memory needs them: with their self-test grade, and the self-test itself."""

from fastapi import APIRouter, Response

from memdesk.api.auth import needs
from memdesk.api.feature import feature
from memdesk.api.params import Body
from memdesk.api.plain import listed, plain, reply
from memdesk.services.container import Services


class ModelBody(Body):
    """The model to test."""

    model_id: str


@feature("models", needs("admin", whole=True))
def router(routes: APIRouter, services: Services) -> None:
    @routes.get("/memory/models", summary="All models, where they are, and their self-test grades")
    def models() -> Response:
        found = services.models.catalogue.all()
        return listed([plain(info) | {"grade": plain(services.distillation.grade(info.id))} for info in found])

    @routes.post("/memory/models/test", summary="Self-test: can this model digest a small known session?")
    def test(body: ModelBody) -> Response:
        return reply(services.distillation.test_model(body.model_id))
