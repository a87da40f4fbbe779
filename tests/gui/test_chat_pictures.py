"""Pictures in a chat: attached, pasted and dropped, shown, sent to models with vision, and kept if the model has none."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMimeData, QRect, QSize, Qt, QUrl
from PySide6.QtGui import QGuiApplication, QImage, QPainter

from memdesk.domain.chatting.images import Image
from memdesk.errors import EngineCrashedError
from memdesk.gui import pictures
from memdesk.gui.views.chat.message import UserMessage
from memdesk.gui.views.chat.shown import LargePicture, Thumbnail
from memdesk.services.recording import IngestTurn
from tests.gui.test_chat import dragged
from tests.helpers.dialogs import shown
from tests.helpers.openai_server import openai_server
from tests.helpers.pictures import image, png


@pytest.fixture
def eyes(desk, model):
    """A chat with a model of a server that says it sees."""
    with openai_server() as server:
        server.models = ["eyes", "blind"]
        server.entries = {"eyes": {"capabilities": {"vision": True}}, "blind": {"capabilities": {"vision": False}}}
        desk.real.models.add_remote("lab", server.url)
        page = desk.page("chat")
        page.pickers.load()
        desk.settle()
        model.sees = True
        page.composer.choices.models.chosen.emit("remote:lab/eyes")
        yield page


@pytest.fixture
def clipboard(qapp):
    """The clipboard, empty again at the end: Qt lets go of a picture in it after the application is gone."""
    yield QGuiApplication.clipboard()
    QGuiApplication.clipboard().clear()


@pytest.fixture
def files(tmp_path):
    (tmp_path / "leaf.png").write_bytes(png(side=40))
    (tmp_path / "notes.txt").write_text("line one")
    return tmp_path


def attach(desk, page, *paths):
    page.composer.attached.attach([str(path) for path in paths])
    desk.settle()


def thumbs(widget):
    return [thumb for thumb in widget.findChildren(Thumbnail) if thumb.isVisible()]


def test_a_picture_is_attached_beside_a_text(desk, qtbot, eyes, files, model):
    attach(desk, eyes, files / "leaf.png", files / "notes.txt")
    assert list(eyes.composer.attached.files) == ["notes.txt"]
    (thumb,) = thumbs(eyes.composer)
    assert thumb.accessibleName() == "Picture: leaf.png"
    eyes.composer.editor.setPlainText("What is this?")
    qtbot.keyClick(eyes.composer.editor, Qt.Key.Key_Return)
    desk.settle()
    (image,) = model.requests[0].messages[-1].images
    assert (image.media_type, image.name) == ("image/png", "leaf.png")
    user = eyes.messages.messages[0]
    assert len(thumbs(user)) == 1
    assert not thumbs(eyes.composer)
    # And when it is opened again, from the store.
    here = eyes.model.here
    eyes.new_chat()
    desk.settle()
    eyes.open_conversation(*here)
    desk.settle()
    (thumb,) = thumbs(eyes.messages.messages[0])
    thumb.click()
    desk.settle()
    dialog = shown(desk)
    assert isinstance(dialog, LargePicture)
    dialog.save(str(files / "again.png"))
    desk.settle()
    assert (files / "again.png").read_bytes() == image.content


@pytest.mark.parametrize("way", ["paste", "drop", "drop on the page", "paste a file"])
def test_it_comes_by_every_way(desk, qtbot, eyes, files, clipboard, way):
    picture = QImage(30, 20, QImage.Format.Format_RGB32)
    picture.fill(Qt.GlobalColor.green)
    data = QMimeData()
    if way == "paste a file":
        data.setUrls([QUrl.fromLocalFile(str(files / "leaf.png"))])
    else:
        data.setImageData(picture)
    if way.startswith("paste"):
        clipboard.setMimeData(data)
        eyes.composer.editor.paste()
    else:
        place = eyes.welcome if way == "drop on the page" else eyes.composer.editor.viewport()
        assert dragged(place, data=data)
    desk.settle()
    (image,) = eyes.composer.draft().images
    assert not QImage.fromData(QByteArray(image.content)).isNull()
    assert eyes.composer.editor.toPlainText() == ""


def test_words_that_come_with_a_picture_of_them_stay_words(desk, qtbot, eyes, clipboard):
    data = QMimeData()
    data.setText("A cell of a table")
    data.setImageData(QImage(30, 20, QImage.Format.Format_RGB32))
    clipboard.setMimeData(data)
    eyes.composer.editor.paste()
    desk.settle()
    assert eyes.composer.editor.toPlainText() == "A cell of a table"
    assert not eyes.composer.attached.images


def test_a_model_that_sees_nothing_says_so_at_once_and_the_message_stays(desk, qtbot, eyes, files, model):
    attach(desk, eyes, files / "leaf.png")
    eyes.composer.editor.setPlainText("What is this?")
    assert not eyes.composer.blind.isVisible()
    eyes.composer.choices.models.chosen.emit("remote:lab/blind")
    assert eyes.composer.blind.isVisible()
    assert "blind (lab) cannot see pictures" in eyes.composer.blind.text()
    eyes.composer.send()
    desk.settle()
    assert model.requests == []
    assert (eyes.composer.draft().text, len(eyes.composer.draft().images)) == ("What is this?", 1)
    eyes.composer.choices.models.chosen.emit("remote:lab/eyes")
    assert not eyes.composer.blind.isVisible()
    eyes.composer.send()
    desk.settle()
    assert len(model.requests[0].messages[-1].images) == 1


def test_delete_takes_one_out(desk, qtbot, eyes, files):
    attach(desk, eyes, files / "leaf.png")
    (thumb,) = thumbs(eyes.composer)
    qtbot.keyClick(thumb, Qt.Key.Key_Delete)
    assert eyes.composer.empty


def test_pictures_survive_a_switch_and_a_failure(desk, qtbot, eyes, files, model):
    attach(desk, eyes, files / "leaf.png")
    eyes.composer.flush()
    eyes.new_chat(temporary=True)
    desk.settle()
    assert eyes.composer.empty
    eyes.new_chat()
    desk.settle()
    assert len(thumbs(eyes.composer)) == 1
    model.queue(EngineCrashedError("gone"))
    eyes.composer.choices.models.chosen.emit("remote:lab/eyes")
    eyes.composer.send()
    desk.settle()
    eyes.new_chat()
    desk.settle()
    assert len(eyes.composer.draft().images) == 1


def test_an_edited_message_keeps_its_pictures_here_and_in_a_new_chat(desk, qtbot, eyes, files, model):
    attach(desk, eyes, files / "leaf.png")
    eyes.composer.editor.setPlainText("What is this?")
    eyes.composer.send()
    desk.settle()
    first = eyes.messages.messages[0]
    eyes.messages.wishes.resent.emit(first.turn_id, "Which tree?")
    desk.settle()
    edited = eyes.messages.messages[0]
    assert (edited.text, len(thumbs(edited))) == ("Which tree?", 1)
    eyes.messages.wishes.resent_apart.emit(edited.turn_id, "Which leaf?")
    desk.settle()
    user = next(m for m in eyes.messages.messages if isinstance(m, UserMessage))
    assert (user.text, len(thumbs(user))) == ("Which leaf?", 1)
    assert [len(request.messages[-1].images) for request in model.requests if "Name this" not in str(request)] == [
        1,
        1,
        1,
    ]


def test_a_picture_that_another_app_painted_is_shown_and_not_sent_as_an_answer(desk, qtbot, eyes, model):
    leaf, branch = image(), image("branch.png", red=1)
    turns = [IngestTurn(user="Paint this leaf.", user_images=(leaf,), assistant_images=(branch,))]
    desk.real.ingest.ingest(agent_id="default", conversation_id="import-chatgpt-1", turns=turns, wait=False)
    eyes.open_conversation("default", "import-chatgpt-1")
    desk.settle()
    asked, painted = eyes.messages.messages
    assert [thumb.accessibleName() for thumb in thumbs(asked) + thumbs(painted)] == [
        "Picture: leaf.png",
        "Picture: branch.png",
    ]
    thumbs(painted)[0].click()
    desk.settle()
    dialog = shown(desk)
    assert isinstance(dialog, LargePicture)
    dialog.close()
    eyes.composer.editor.setPlainText("And the tree?")
    eyes.composer.send()
    desk.settle()
    sent = model.requests[0].messages
    assert [(m.role, m.content, len(m.images)) for m in sent if m.role == "assistant" or m.images] == [
        ("user", "Paint this leaf.", 1),
        ("assistant", "(a picture)", 0),
    ]


def test_a_damaged_picture_is_told_and_nothing_is_lost(desk, qtbot, eyes, tmp_path):
    (tmp_path / "cut.png").write_bytes(png(side=40)[:60])
    eyes.composer.editor.setPlainText("Look")
    attach(desk, eyes, tmp_path / "cut.png")
    assert "cut.png is damaged" in desk.window.notices.recent[-1].message
    assert eyes.composer.draft().text == "Look"


# -- what is sent ------------------------------------------------------------------------


def noise(side):
    """A picture that nothing compresses well, a photograph for instance."""
    import numpy as np

    dots = np.random.default_rng(1).integers(0, 255, (side, side, 4), dtype=np.uint8)
    dots[..., 3] = 255
    return QImage(dots.tobytes(), side, side, QImage.Format.Format_RGBA8888).copy()


def test_a_large_photograph_is_made_small_and_a_drawing_stays_sharp(qapp):
    photo = pictures.as_sent(noise(2600))
    assert photo.media_type == "image/jpeg"
    assert pictures.whole(photo).size() == QSize(2048, 2048)
    drawing = QImage(300, 200, QImage.Format.Format_ARGB32)
    drawing.fill(Qt.GlobalColor.transparent)
    sent = pictures.as_sent(drawing)
    assert sent.media_type == "image/png"
    assert pictures.whole(sent).pixelColor(3, 3).alpha() == 0


def test_what_a_camera_notes_beside_a_picture_stays_here(qapp, tmp_path):
    """Where it was taken is nobody's business; how it was held is applied."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    upright = QImage(64, 32, QImage.Format.Format_RGB32)
    upright.fill(Qt.GlobalColor.white)
    painter = QPainter(upright)
    painter.fillRect(QRect(0, 0, 16, 32), Qt.GlobalColor.black)
    painter.end()
    upright.save(buffer, "JPEG")
    plain = bytes(buffer.data().data())
    # TIFF: turned by 90 degrees (orientation 6), and a note.
    note = b"48.2082 N 16.3738 E\0"
    tags = (
        b"\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\x0e\x01\x02\0"
        + len(note).to_bytes(4, "little")
        + (38).to_bytes(4, "little")
    )
    tiff = b"II*\0\x08\0\0\0" + b"\x02\0" + tags + b"\0\0\0\0" + note
    exif = b"Exif\0\0" + tiff
    (tmp_path / "trip.jpg").write_bytes(plain[:2] + b"\xff\xe1" + (len(exif) + 2).to_bytes(2, "big") + exif + plain[2:])
    sent = pictures.read_picture(str(tmp_path / "trip.jpg"))
    assert b"48.2082" not in sent.content
    turned = pictures.whole(sent)
    assert turned.size() == QSize(32, 64)
    assert turned.pixelColor(16, 4).lightness() < 60


def test_only_what_holds_a_picture_is_one(qapp, tmp_path):
    (tmp_path / "leaf.dat").write_bytes(png())
    (tmp_path / "page.png").write_text("<html>404</html>")
    assert pictures.is_picture(str(tmp_path / "leaf.dat"))
    assert not pictures.is_picture(str(tmp_path / "page.png"))
    assert not pictures.is_picture(str(tmp_path))
    assert pictures.thumbnail(Image("image/png", "AAAA")).isNull()
