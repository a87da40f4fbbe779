"""Asks for files and folders with the system's dialog, which is deleted when closed."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QWidget

Chosen = Callable[[str], object]


def ask_file(parent: QWidget, title: str, chosen: Chosen, *filters: str) -> None:
    """Ask for an existing file; ``filters`` are Qt's."""
    _dialog(parent, title, chosen, QFileDialog.FileMode.ExistingFile, filters).open()


def ask_files(parent: QWidget, title: str, chosen: Callable[[list[str]], object], *filters: str) -> None:
    dialog = _dialog(parent, title, None, QFileDialog.FileMode.ExistingFiles, filters)
    dialog.filesSelected.connect(chosen)
    dialog.open()


def ask_folder(parent: QWidget, title: str, chosen: Chosen, begin: str = "") -> None:
    dialog = _dialog(parent, title, chosen, QFileDialog.FileMode.Directory)
    if begin:
        dialog.setDirectory(begin)
    dialog.open()


def ask_place(parent: QWidget, title: str, chosen: Chosen, name: str) -> None:
    """Ask where to save a file, initially as ``name``, keeping its extension."""
    dialog = _dialog(parent, title, chosen, QFileDialog.FileMode.AnyFile)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setDefaultSuffix(name.rpartition(".")[2])
    dialog.selectFile(name)
    dialog.open()


def _dialog(
    parent: QWidget, title: str, chosen: Chosen | None, mode: QFileDialog.FileMode, filters: tuple[str, ...] = ()
) -> QFileDialog:
    dialog = QFileDialog(parent, title)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setFileMode(mode)
    dialog.setNameFilters(filters)
    if chosen is not None:
        dialog.fileSelected.connect(chosen)
    return dialog
