"""Pictures for models, and their thumbnails. Runs on lanes: no pixmaps, no widgets."""

from pathlib import Path
from typing import Final, Literal

from PySide6.QtCore import QBuffer, QByteArray, QFileInfo, QIODevice, QSize, Qt
from PySide6.QtGui import QImage, QImageReader, QPainter

from memdesk.domain.chatting.images import Image
from memdesk.errors import BadRequestError
from memdesk.messages import say

#: Models scale down larger ones anyway (OpenAI to 2048 px, Anthropic to 1568 px).
MOST_SIDE: Final = 2048
#: Longest side of a picture in a thread, in px at 200 %.
THUMB_SIDE: Final = 480
#: Pictures that compress to more losslessly are photographs, and sent as JPEG.
_MOST_WITHOUT_LOSS: Final = 1_500_000
_QUALITY: Final = 88
#: Larger than any camera's pictures, in MB.
_MOST_MEMORY: Final = 1024


def get_ready() -> list[str]:
    """Load the picture readers, and return their file extensions. On the main thread, before a lane reads one.

    Qt loads them under its own lock and notifies the application meanwhile: on a lane, that would wait for the main
    thread, which may be waiting for the lock.
    """
    return sorted(bytes(kind.data()).decode() for kind in QImageReader.supportedImageFormats())


def is_picture(path: str) -> bool:
    """Whether a file is a picture that can be read here, by its content."""
    return not QFileInfo(path).isDir() and QImageReader(path).canRead()


def read_picture(path: str) -> Image:
    """Return a file's picture as it goes with a message.

    Raises:
        BadRequestError: it is damaged.
    """
    reader = QImageReader(path)
    # Rotated as taken; large ones are scaled down while reading.
    reader.setAutoTransform(True)
    reader.setAllocationLimit(_MOST_MEMORY)
    picture = reader.read()
    name = Path(path).name
    if picture.isNull():
        raise BadRequestError(
            say("{name} is damaged: the picture in it cannot be read.", name=name),
            hint=say("Open it in another program and save it again."),
        )
    return as_sent(picture, name, lossy=bytes(reader.format().data()) in {b"jpeg", b"jpg", b"webp", b"heic"})


def as_sent(picture: QImage, name: str = "", *, lossy: bool = False) -> Image:
    """Return a picture as it goes with a message: in a size that models take, and without metadata.

    Args:
        picture: not null.
        name: of its file; may be empty.
        lossy: whether it was already compressed with loss.
    """
    if max(picture.width(), picture.height()) > MOST_SIDE:
        picture = _within(picture, MOST_SIDE)
    if lossy and not picture.hasAlphaChannel():
        return Image.of(_encoded(picture, "JPEG"), name)
    data = _encoded(picture, "PNG")
    return Image.of(data if len(data) <= _MOST_WITHOUT_LOSS else _encoded(_on_white(picture), "JPEG"), name)


def thumbnail(image: Image) -> QImage:
    """Return a thumbnail; a null picture if it cannot be drawn."""
    picture = whole(image)
    return picture if max(picture.width(), picture.height()) <= THUMB_SIDE else _within(picture, THUMB_SIDE)


def whole(image: Image) -> QImage:
    """Return a picture in full; a null one if it cannot be drawn."""
    return QImage.fromData(QByteArray(image.content))


def _within(picture: QImage, side: int) -> QImage:
    return picture.scaled(
        QSize(side, side), Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
    )


def _on_white(picture: QImage) -> QImage:
    """Return a picture for JPEG, which has no transparency; by default Qt fills it with black."""
    if not picture.hasAlphaChannel():
        return picture
    flat = QImage(picture.size(), QImage.Format.Format_RGB32)
    flat.fill(Qt.GlobalColor.white)
    painter = QPainter(flat)
    painter.drawImage(0, 0, picture)
    painter.end()
    return flat


def _encoded(picture: QImage, format_: Literal["JPEG", "PNG"]) -> bytes:
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    picture.save(buffer, format_, _QUALITY if format_ == "JPEG" else -1)  # type: ignore[call-overload]  # it takes a str alone
    return bytes(buffer.data().data())
