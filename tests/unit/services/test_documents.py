"""The text of attached files."""

from __future__ import annotations

import os
import sys

import docx
import pytest

from memdesk.domain.chatting.passages import PAGE
from memdesk.errors import BadRequestError
from memdesk.services.documents import read_document


def pdf(*pages: str) -> bytes:
    """A PDF with a line of text on each page, or an empty one."""
    kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(len(pages)))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for number, text in enumerate(pages):
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {5 + 2 * number} 0 R "
            "/Resources << /Font << /F1 3 0 R >> >> >>"
        )
        drawn = f"BT /F1 12 Tf 72 720 Td ({text}) Tj ET" if text else ""
        objects.append(f"<< /Length {len(drawn)} >>\nstream\n{drawn}\nendstream")
    out, places = "%PDF-1.4\n", []
    for number, body in enumerate(objects, start=1):
        places.append(len(out))
        out += f"{number} 0 obj\n{body}\nendobj\n"
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}"
    start = out.index("xref\n0")
    return (out + f"trailer << /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n").encode()


def test_the_pages_of_a_pdf_are_told_apart(tmp_path):
    file = tmp_path / "lease.pdf"
    file.write_bytes(pdf("The rent is 900 euros.", "The deposit is three rents."))
    name, text = read_document(str(file))
    assert (name, text.split(PAGE)) == ("lease.pdf", ["The rent is 900 euros.", "The deposit is three rents."])


def test_typesetting_is_no_part_of_a_pdfs_words(tmp_path):
    file = tmp_path / "menu.pdf"
    file.write_bytes(pdf(r"A\tvery  \256ne hall"))
    assert read_document(str(file))[1] == "A very fine hall"


def test_a_pdf_without_text_is_refused_with_the_reason(tmp_path):
    file = tmp_path / "scan.pdf"
    file.write_bytes(pdf("", ""))
    with pytest.raises(BadRequestError, match="holds no text"):
        read_document(str(file))


def test_paragraphs_and_tables_of_a_word_document_are_read_in_order(tmp_path):
    file = tmp_path / "plan.docx"
    document = docx.Document()
    document.add_paragraph("Before the table.")
    table = document.add_table(rows=1, cols=2)
    table.rows[0].cells[0].text, table.rows[0].cells[1].text = "Monday", "Porto"
    document.add_paragraph("After it.")
    document.save(str(file))
    assert read_document(str(file))[1] == "Before the table.\n\nMonday | Porto\n\nAfter it."


def test_of_a_web_page_what_one_sees_is_read(tmp_path):
    file = tmp_path / "page.html"
    file.write_text(
        "<html><head><title>x</title><style>p{}</style></head><body><h1>Opening hours</h1>"
        "<p>Monday to <b>Friday</b>&nbsp;&amp; Sunday<br>9 to 5</p><script>track()</script><ul><li>closed in May</li></ul>"
        "</body></html>",
        encoding="utf-8",
    )
    assert read_document(str(file))[1] == "Opening hours\n\nMonday to Friday & Sunday\n9 to 5\n\nclosed in May"


def test_markdown_is_read_as_it_is_written(tmp_path):
    file = tmp_path / "notes.md"
    file.write_text("# Notes\n\n- *one*\n", encoding="utf-8")
    assert read_document(str(file)) == ("notes.md", "# Notes\n\n- *one*\n")


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such files")
@pytest.mark.parametrize("make", [os.mkfifo, lambda path: path.symlink_to("/dev/zero")], ids=["pipe", "device"])
def test_what_has_no_end_is_no_document(tmp_path, make):
    make(tmp_path / "notes.txt")
    with pytest.raises(BadRequestError, match=r"notes\.txt is not a file"):
        read_document(str(tmp_path / "notes.txt"))
