<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de_DE">
<context>
    <name></name>
    <message numerus="yes">
        <source>%n memories</source>
        <translation>
            <numerusform>%Ln Erinnerung</numerusform>
            <numerusform>%Ln Erinnerungen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tokens</source>
        <translation>
            <numerusform>%Ln Token</numerusform>
            <numerusform>%Ln Token</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The model is making %n other replies; this one takes turns with them…</source>
        <translation>
            <numerusform>Das Modell schreibt gerade eine andere Antwort; diese wechselt sich mit ihr ab …</numerusform>
            <numerusform>Das Modell schreibt gerade %Ln andere Antworten; diese wechselt sich mit ihnen ab …</numerusform>
        </translation>
    </message>
    <message>
        <source>memdesk ended unexpectedly last time</source>
        <translation>memdesk wurde beim letzten Mal unerwartet beendet</translation>
    </message>
    <message>
        <source>A report for us is under Diagnostics.</source>
        <translation>Einen Bericht für uns findest du unter Diagnose.</translation>
    </message>
    <message>
        <source>Something went wrong in memdesk</source>
        <extracomment>Notices kept for rereading.</extracomment>
        <translation>In memdesk ist etwas schiefgegangen</translation>
    </message>
    <message>
        <source>Pinned</source>
        <extracomment>Conversations per fetch. The search hit of a row, or None. Dragged data: [&quot;talk&quot;, agent, conversation] or [&quot;folder&quot;, id], as JSON.</extracomment>
        <translation>Angeheftet</translation>
    </message>
    <message>
        <source>Today</source>
        <translation>Heute</translation>
    </message>
    <message>
        <source>Yesterday</source>
        <translation>Gestern</translation>
    </message>
    <message>
        <source>Last 7 days</source>
        <translation>Letzte 7 Tage</translation>
    </message>
    <message>
        <source>Last 30 days</source>
        <translation>Letzte 30 Tage</translation>
    </message>
    <message>
        <source>Drag chats here, or press +</source>
        <translation>Chats hierher ziehen oder + drücken</translation>
    </message>
    <message>
        <source>Press + for a chat here</source>
        <translation>Mit + beginnt hier ein Chat</translation>
    </message>
    <message>
        <source>{name} (copy)</source>
        <translation>{name} (Kopie)</translation>
    </message>
    <message>
        <source>Exported</source>
        <translation>Exportiert</translation>
    </message>
    <message>
        <source>{name} is gone</source>
        <translation>{name} ist gelöscht</translation>
    </message>
    <message>
        <source>Delete {name}?</source>
        <translation>{name} löschen?</translation>
    </message>
    <message>
        <source>Its conversations and everything it remembers go with it. Lines about you stay; they are yours.</source>
        <translation>Seine Gespräche und alles, woran er sich erinnert, werden mit gelöscht. Zeilen über dich bleiben; sie gehören dir.</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>The local server does not run.</source>
        <translation>Der lokale Server läuft nicht.</translation>
    </message>
    <message>
        <source>The local server did not answer.</source>
        <translation>Der lokale Server hat nicht geantwortet.</translation>
    </message>
    <message>
        <source>The answer holds no words.</source>
        <translation>Die Antwort enthält keinen Text.</translation>
    </message>
    <message>
        <source>The server answered {status}.</source>
        <translation>Der Server antwortete {status}.</translation>
    </message>
    <message numerus="yes">
        <source>%n changes were undone.</source>
        <translation>
            <numerusform>%Ln Änderung wurde zurückgenommen.</numerusform>
            <numerusform>%Ln Änderungen wurden zurückgenommen.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n stay: they were changed since.</source>
        <translation>
            <numerusform>%Ln bleibt: sie wurde seither geändert.</numerusform>
            <numerusform>%Ln bleiben: sie wurden seither geändert.</numerusform>
        </translation>
    </message>
    <message>
        <source>The bin is empty</source>
        <translation>Der Papierkorb ist leer</translation>
    </message>
    <message>
        <source>Undone</source>
        <translation>Rückgängig gemacht</translation>
    </message>
    <message>
        <source>Restored</source>
        <translation>Wiederhergestellt</translation>
    </message>
    <message>
        <source>The button above the list shows archived conversations; their memory stays in use.</source>
        <translation>Die Schaltfläche über der Liste zeigt archivierte Gespräche; was aus ihnen gelernt wurde, gilt weiter.</translation>
    </message>
    <message>
        <source>Archived</source>
        <translation>Archiviert</translation>
    </message>
    <message>
        <source>Delete this conversation?</source>
        <translation>Dieses Gespräch löschen?</translation>
    </message>
    <message>
        <source>“{title}” cannot be brought back.</source>
        <translation>„{title}“ kann nicht zurückgeholt werden.</translation>
    </message>
    <message>
        <source>Conversation</source>
        <translation>Gespräch</translation>
    </message>
    <message>
        <source>Also forget what was learned from it alone</source>
        <translation>Auch vergessen, was nur daraus gelernt wurde</translation>
    </message>
    <message>
        <source>{done} of {of} conversations</source>
        <translation>{done} von {of} Gesprächen</translation>
    </message>
    <message>
        <source>What was distilled by then is kept.</source>
        <translation>Was bis dahin destilliert war, bleibt.</translation>
    </message>
    <message>
        <source>Learning from older chats was stopped</source>
        <translation>Das Lernen aus älteren Chats wurde angehalten</translation>
    </message>
    <message numerus="yes">
        <source>%n conversations could not be distilled</source>
        <translation>
            <numerusform>%Ln Gespräch konnte nicht destilliert werden</numerusform>
            <numerusform>%Ln Gespräche konnten nicht destilliert werden</numerusform>
        </translation>
    </message>
    <message>
        <source>See the reason under Diagnostics, then retry.</source>
        <translation>Der Grund steht unter Diagnose; versuche es danach erneut.</translation>
    </message>
    <message>
        <source>Every conversation is distilled</source>
        <translation>Jedes Gespräch ist destilliert</translation>
    </message>
    <message>
        <source>The report is on the clipboard</source>
        <translation>Der Bericht ist in der Zwischenablage</translation>
    </message>
    <message>
        <source>It contains nothing you wrote.</source>
        <translation>Er enthält keine Worte von dir.</translation>
    </message>
    <message>
        <source>Remembered</source>
        <extracomment>details of the episode that are not in a fact. skipped sentences, each with the fact made of it since.</extracomment>
        <translation>Gemerkt</translation>
    </message>
    <message>
        <source>Unpinned</source>
        <translation>Gelöst</translation>
    </message>
    <message numerus="yes">
        <source>%n facts pinned: they will not fade</source>
        <translation>
            <numerusform>Angeheftet: der Fakt verblasst nicht</numerusform>
            <numerusform>%Ln Fakten angeheftet: sie verblassen nicht</numerusform>
        </translation>
    </message>
    <message>
        <source>Already known: nothing was added</source>
        <extracomment>Changing more facts than this takes a while: chats and reads go first.</extracomment>
        <translation>Schon bekannt: es wurde nichts hinzugefügt</translation>
    </message>
    <message numerus="yes">
        <source>Undone: %n facts are as they were</source>
        <translation>
            <numerusform>Rückgängig: %Ln Fakt ist, wie er war</numerusform>
            <numerusform>Rückgängig: %Ln Fakten sind, wie sie waren</numerusform>
        </translation>
    </message>
    <message>
        <source>{new} imported, {here} were here already</source>
        <translation>{new} importiert, {here} waren schon da</translation>
    </message>
    <message>
        <source>Conversations</source>
        <translation>Gespräche</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>Nachrichten</translation>
    </message>
    <message>
        <source>Facts</source>
        <translation>Fakten</translation>
    </message>
    <message>
        <source>Facts that lose a source</source>
        <translation>Fakten, die eine Quelle verlieren</translation>
    </message>
    <message>
        <source>Episodes</source>
        <translation>Episoden</translation>
    </message>
    <message>
        <source>Episodes that lose a part</source>
        <translation>Episoden, die einen Teil verlieren</translation>
    </message>
    <message>
        <source>Lines about you</source>
        <translation>Zeilen über dich</translation>
    </message>
    <message>
        <source>People and things</source>
        <translation>Personen und Dinge</translation>
    </message>
    <message>
        <source>Relations</source>
        <translation>Beziehungen</translation>
    </message>
    <message>
        <source>Receipts</source>
        <translation>Belege</translation>
    </message>
    <message>
        <source>Pending signals</source>
        <translation>Wartende Signale</translation>
    </message>
    <message>
        <source>Agents</source>
        <translation>Agenten</translation>
    </message>
    <message>
        <source>History entries</source>
        <translation>Einträge im Verlauf</translation>
    </message>
    <message>
        <source>Vectors</source>
        <translation>Vektoren</translation>
    </message>
    <message>
        <source>Said in the same messages, so this goes as well:</source>
        <translation>In denselben Nachrichten gesagt, also geht auch das:</translation>
    </message>
    <message numerus="yes">
        <source>%n entries are gone.</source>
        <translation>
            <numerusform>%Ln Eintrag ist weg.</numerusform>
            <numerusform>%Ln Einträge sind weg.</numerusform>
        </translation>
    </message>
    <message>
        <source>Every page of the database was searched for it: nothing is left.</source>
        <translation>Jede Seite der Datenbank wurde danach durchsucht: Nichts ist übrig.</translation>
    </message>
    <message>
        <source>Without your prompts</source>
        <translation>Ohne deine Prompts</translation>
    </message>
    <message numerus="yes">
        <source>Wherever it was said: %n messages go too</source>
        <translation>
            <numerusform>Wo immer es gesagt wurde: %Ln Nachricht geht mit</numerusform>
            <numerusform>Wo immer es gesagt wurde: %Ln Nachrichten gehen mit</numerusform>
        </translation>
    </message>
    <message>
        <source>Everywhere: out of instructions and prompts too</source>
        <translation>Überall: auch aus Anweisungen und Prompts</translation>
    </message>
    <message>
        <source>Forgotten</source>
        <translation>Vergessen</translation>
    </message>
    <message>
        <source>Forgotten, but not verified</source>
        <translation>Vergessen, aber nicht überprüft</translation>
    </message>
    <message>
        <source>This fact only</source>
        <extracomment>Facts listed in a preview; the rest are counted. Other memory that messages may repeat, and its name alone.</extracomment>
        <translation>Nur dieser Fakt</translation>
    </message>
    <message>
        <source>These facts only</source>
        <translation>Nur diese Fakten</translation>
    </message>
    <message>
        <source>This line only</source>
        <translation>Nur diese Zeile</translation>
    </message>
    <message>
        <source>It could not be verified.</source>
        <translation>Es konnte nicht überprüft werden.</translation>
    </message>
    <message numerus="yes">
        <source>%n messages still say it, and replies can quote them.</source>
        <translation>
            <numerusform>%Ln Nachricht sagt es noch, und Antworten können sie zitieren.</numerusform>
            <numerusform>%Ln Nachrichten sagen es noch, und Antworten können sie zitieren.</numerusform>
        </translation>
    </message>
    <message>
        <source>Forgotten, but not everywhere</source>
        <translation>Vergessen, aber nicht überall</translation>
    </message>
    <message>
        <source>Delete the conversation, or forget the messages, if the words must go too.</source>
        <translation>Lösche das Gespräch oder vergiss die Nachrichten, wenn auch die Worte fort sollen.</translation>
    </message>
    <message>
        <source>Forget</source>
        <translation>Vergessen</translation>
    </message>
    <message>
        <source>It is kept as you asked.</source>
        <translation>Es ist gemerkt, wie du es wolltest.</translation>
    </message>
    <message>
        <source>What was learned here is forgotten.</source>
        <translation>Was hier gelernt wurde, ist vergessen.</translation>
    </message>
    <message numerus="yes">
        <source>%n changes undone</source>
        <translation>
            <numerusform>%Ln Änderung zurückgenommen</numerusform>
            <numerusform>%Ln Änderungen zurückgenommen</numerusform>
        </translation>
    </message>
    <message>
        <source>Kept</source>
        <translation>Behalten</translation>
    </message>
    <message>
        <source>Dropped; this kind is not stored again</source>
        <translation>Verworfen; so etwas wird nicht wieder gespeichert</translation>
    </message>
    <message>
        <source>Dropped</source>
        <translation>Verworfen</translation>
    </message>
    <message>
        <source>Self-test done</source>
        <extracomment>Files of a folder that a notice details rather than counts.</extracomment>
        <translation>Selbsttest fertig</translation>
    </message>
    <message>
        <source>Unloaded</source>
        <translation>Entladen</translation>
    </message>
    <message numerus="yes">
        <source>%n models were added</source>
        <translation>
            <numerusform>%Ln Modell hinzugefügt</numerusform>
            <numerusform>%Ln Modelle hinzugefügt</numerusform>
        </translation>
    </message>
    <message>
        <source>{name} was not added: {problem}</source>
        <translation>{name} wurde nicht hinzugefügt: {problem}</translation>
    </message>
    <message numerus="yes">
        <source>%n models were found</source>
        <translation>
            <numerusform>%Ln Modell gefunden</numerusform>
            <numerusform>%Ln Modelle gefunden</numerusform>
        </translation>
    </message>
    <message>
        <source>Downloaded</source>
        <translation>Heruntergeladen</translation>
    </message>
    <message>
        <source>The text is empty.</source>
        <translation>Der Text ist leer.</translation>
    </message>
    <message>
        <source>To delete it for good, use Forget.</source>
        <translation>Um es endgültig zu löschen, wähle „Vergessen“.</translation>
    </message>
    <message>
        <source>Replies of this conversation go without it from now on.</source>
        <translation>Antworten in diesem Gespräch kommen ab jetzt ohne es aus.</translation>
    </message>
    <message>
        <source>No longer used here</source>
        <translation>Wird hier nicht mehr benutzt</translation>
    </message>
    <message>
        <source>Used here again</source>
        <translation>Wird hier wieder benutzt</translation>
    </message>
    <message>
        <source>The token was revoked</source>
        <extracomment>``{&quot;recovery_code&quot;: ...}`` or ``{&quot;passphrase&quot;: ...}``.</extracomment>
        <translation>Das Token ist widerrufen</translation>
    </message>
    <message>
        <source>The backup was written</source>
        <translation>Die Sicherung ist geschrieben</translation>
    </message>
    <message>
        <source>Everything was exported</source>
        <translation>Alles wurde exportiert</translation>
    </message>
    <message>
        <source>Saved</source>
        <translation>Gespeichert</translation>
    </message>
    <message>
        <source>Nothing was waiting</source>
        <translation>Es hat nichts gewartet</translation>
    </message>
    <message numerus="yes">
        <source>Distilled %n conversations</source>
        <translation>
            <numerusform>%Ln Gespräch destilliert</numerusform>
            <numerusform>%Ln Gespräche destilliert</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n facts were kept.</source>
        <translation>
            <numerusform>%Ln Fakt wurde behalten.</numerusform>
            <numerusform>%Ln Fakten wurden behalten.</numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing could be distilled</source>
        <translation>Es konnte nichts destilliert werden</translation>
    </message>
    <message>
        <source>Background work is paused</source>
        <translation>Hintergrundarbeit ist angehalten</translation>
    </message>
    <message>
        <source>Background work resumed</source>
        <translation>Hintergrundarbeit läuft weiter</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>Neuer Chat</translation>
    </message>
    <message>
        <source>New temporary chat</source>
        <translation>Neuer flüchtiger Chat</translation>
    </message>
    <message>
        <source>private incognito</source>
        <translation>privat inkognito</translation>
    </message>
    <message>
        <source>Import chats of another app</source>
        <translation>Chats einer anderen App importieren</translation>
    </message>
    <message>
        <source>Add a fact</source>
        <translation>Fakt hinzufügen</translation>
    </message>
    <message>
        <source>Preview what a chat would be given</source>
        <translation>Vorschau: was ein Chat bekäme</translation>
    </message>
    <message>
        <source>context</source>
        <translation>kontext</translation>
    </message>
    <message>
        <source>Distill pending conversations now</source>
        <translation>Wartende Gespräche jetzt destillieren</translation>
    </message>
    <message>
        <source>Run consolidation now</source>
        <translation>Jetzt konsolidieren</translation>
    </message>
    <message>
        <source>Preview consolidation</source>
        <translation>Vorschau der Konsolidierung</translation>
    </message>
    <message>
        <source>Pause background work</source>
        <translation>Hintergrundarbeit anhalten</translation>
    </message>
    <message>
        <source>Resume background work</source>
        <translation>Hintergrundarbeit fortsetzen</translation>
    </message>
    <message>
        <source>Find anything</source>
        <translation>Alles finden</translation>
    </message>
    <message>
        <source>Collapse the sidebar</source>
        <translation>Seitenleiste einklappen</translation>
    </message>
    <message>
        <source>Light theme</source>
        <translation>Helles Design</translation>
    </message>
    <message>
        <source>Dark theme</source>
        <translation>Dunkles Design</translation>
    </message>
    <message>
        <source>System theme</source>
        <translation>Design des Systems</translation>
    </message>
    <message>
        <source>Larger text</source>
        <translation>Größerer Text</translation>
    </message>
    <message>
        <source>Smaller text</source>
        <translation>Kleinerer Text</translation>
    </message>
    <message>
        <source>Notices</source>
        <translation>Meldungen</translation>
    </message>
    <message>
        <source>Shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>keyboard keys help</source>
        <translation>Tastatur Tasten Hilfe</translation>
    </message>
    <message>
        <source>Documentation</source>
        <translation>Dokumentation</translation>
    </message>
    <message>
        <source>Report a bug</source>
        <translation>Fehler melden</translation>
    </message>
    <message>
        <source>diagnostics copy report</source>
        <translation>diagnose bericht kopieren</translation>
    </message>
    <message>
        <source>About memdesk</source>
        <extracomment>Components with license and source.</extracomment>
        <translation>Über memdesk</translation>
    </message>
    <message>
        <source>version licenses</source>
        <translation>Version Lizenzen</translation>
    </message>
    <message>
        <source>Quick entry</source>
        <translation>Schnelleingabe</translation>
    </message>
    <message>
        <source>ask remember note small window shortcut</source>
        <translation>fragen merken notiz kleines fenster tastenkürzel</translation>
    </message>
    <message>
        <source>Lock now</source>
        <translation>Jetzt sperren</translation>
    </message>
    <message>
        <source>Restore a backup</source>
        <translation>Sicherung wiederherstellen</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <source>Looking in memory…</source>
        <extracomment>the user&apos;s message that is not stored yet; empty when a stored one is answered again. what is sent of the draft: only passages of long files. the first stored turn to be replaced; empty when appending. whether the user&apos;s message is new; False when a stored one is answered again. thumbnails of the draft&apos;s pictures. whether the conversation is first stored with this answer. whether it is kept: stored, or in the temporary chat. whether its message was returned to the composer. Calls of other programs&apos; tools, by id. When text that may turn out to be thinking began.</extracomment>
        <translation>Sieht im Gedächtnis nach …</translation>
    </message>
    <message>
        <source>The model is reading…</source>
        <translation>Das Modell liest …</translation>
    </message>
    <message>
        <source>Searched memory for “{query}”</source>
        <translation>Im Gedächtnis nach „{query}“ gesucht</translation>
    </message>
    <message>
        <source>The answer is waiting for you.</source>
        <translation>Die Antwort wartet auf eine Entscheidung.</translation>
    </message>
    <message>
        <source>The model asks to use “{tool}” of {server}</source>
        <translation>Das Modell möchte „{tool}“ von {server} benutzen</translation>
    </message>
    <message>
        <source>The answer is complete.</source>
        <translation>Die Antwort ist fertig.</translation>
    </message>
    <message>
        <source>Everything that is remembered</source>
        <translation>Alles, was gemerkt ist</translation>
    </message>
    <message>
        <source>The answer failed.</source>
        <translation>Die Antwort ist gescheitert.</translation>
    </message>
    <message>
        <source>Choose a model</source>
        <translation>Wähle ein Modell</translation>
    </message>
    <message>
        <source>Back to the former answer</source>
        <translation>Zurück zur vorigen Antwort</translation>
    </message>
    <message>
        <source>The model used all of the answer&apos;s length to think.</source>
        <translation>Das Modell hat die ganze Länge der Antwort mit Nachdenken verbraucht.</translation>
    </message>
    <message>
        <source>Allow longer answers in the agent&apos;s settings, or choose a model with more context.</source>
        <translation>Erlaube in den Einstellungen des Agenten längere Antworten, oder wähle ein Modell mit mehr Kontext.</translation>
    </message>
    <message>
        <source>The model gave no answer.</source>
        <translation>Das Modell hat nichts geantwortet.</translation>
    </message>
    <message>
        <source>The model thought, but gave no answer.</source>
        <translation>Das Modell hat nachgedacht, aber nicht geantwortet.</translation>
    </message>
    <message>
        <source>Try again, or choose another model.</source>
        <translation>Versuche es noch einmal oder wähle ein anderes Modell.</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Noch einmal versuchen</translation>
    </message>
    <message>
        <source>Forget this?</source>
        <translation>Das vergessen?</translation>
    </message>
    <message>
        <source>Models of other programs</source>
        <translation>Modelle anderer Programme</translation>
    </message>
    <message>
        <source>Add a server</source>
        <translation>Server hinzufügen</translation>
    </message>
    <message>
        <source>Change a server</source>
        <translation>Server ändern</translation>
    </message>
    <message>
        <source>Context of {model}</source>
        <translation>Kontext von {model}</translation>
    </message>
    <message>
        <source>Download a model</source>
        <translation>Modell herunterladen</translation>
    </message>
    <message>
        <source>just now</source>
        <translation>gerade eben</translation>
    </message>
    <message numerus="yes">
        <source>%n minutes ago</source>
        <translation>
            <numerusform>vor einer Minute</numerusform>
            <numerusform>vor %Ln Minuten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n hours ago</source>
        <translation>
            <numerusform>vor einer Stunde</numerusform>
            <numerusform>vor %Ln Stunden</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n days ago</source>
        <translation>
            <numerusform>vor einem Tag</numerusform>
            <numerusform>vor %Ln Tagen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n months ago</source>
        <translation>
            <numerusform>vor einem Monat</numerusform>
            <numerusform>vor %Ln Monaten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n years ago</source>
        <translation>
            <numerusform>vor einem Jahr</numerusform>
            <numerusform>vor %Ln Jahren</numerusform>
        </translation>
    </message>
    <message>
        <source>d MMM yyyy</source>
        <comment>pattern of a date</comment>
        <translation>d. MMM yyyy</translation>
    </message>
    <message>
        <source>Any time</source>
        <translation>Jederzeit</translation>
    </message>
    <message>
        <source>Last year</source>
        <translation>Letztes Jahr</translation>
    </message>
    <message>
        <source>{n}%</source>
        <comment>a percentage</comment>
        <translation>{n} %</translation>
    </message>
    <message>
        <source>“{text}”</source>
        <comment>a quotation</comment>
        <translation>„{text}“</translation>
    </message>
    <message>
        <source>less than a minute</source>
        <translation>weniger als eine Minute</translation>
    </message>
    <message numerus="yes">
        <source>about %n minutes</source>
        <translation>
            <numerusform>etwa %Ln Minute</numerusform>
            <numerusform>etwa %Ln Minuten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>about %n hours</source>
        <translation>
            <numerusform>etwa %Ln Stunde</numerusform>
            <numerusform>etwa %Ln Stunden</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>about %n days</source>
        <translation>
            <numerusform>etwa %Ln Tag</numerusform>
            <numerusform>etwa %Ln Tage</numerusform>
        </translation>
    </message>
    <message>
        <source>expires on {day}</source>
        <translation>läuft am {day} ab</translation>
    </message>
    <message>
        <source>expired on {day}</source>
        <translation>ist am {day} abgelaufen</translation>
    </message>
    <message>
        <source>{n} ms</source>
        <translation>{n} ms</translation>
    </message>
    <message>
        <source>About you</source>
        <translation>Über dich</translation>
    </message>
    <message>
        <source>Preference</source>
        <translation>Vorliebe</translation>
    </message>
    <message>
        <source>Decision</source>
        <translation>Entscheidung</translation>
    </message>
    <message>
        <source>Commitment</source>
        <translation>Zusage</translation>
    </message>
    <message>
        <source>Relationship</source>
        <translation>Beziehung</translation>
    </message>
    <message>
        <source>Event</source>
        <translation>Ereignis</translation>
    </message>
    <message>
        <source>Skill</source>
        <translation>Fähigkeit</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>Änderung</translation>
    </message>
    <message>
        <source>Other</source>
        <translation>Sonstiges</translation>
    </message>
    <message>
        <source>Fact</source>
        <translation>Fakt</translation>
    </message>
    <message>
        <source>Episode</source>
        <translation>Episode</translation>
    </message>
    <message>
        <source>Detail</source>
        <translation>Einzelheit</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>Nachricht</translation>
    </message>
    <message>
        <source>Factual</source>
        <translation>Wissen</translation>
    </message>
    <message>
        <source>Episodic</source>
        <translation>Erlebnis</translation>
    </message>
    <message>
        <source>Procedural</source>
        <translation>Vorgehen</translation>
    </message>
    <message>
        <source>Semantic</source>
        <translation>Bedeutung</translation>
    </message>
    <message>
        <source>Card number</source>
        <translation>Kartennummer</translation>
    </message>
    <message>
        <source>Account number</source>
        <translation>Kontonummer</translation>
    </message>
    <message>
        <source>Key or token</source>
        <translation>Schlüssel oder Token</translation>
    </message>
    <message>
        <source>Password or code</source>
        <translation>Passwort oder Code</translation>
    </message>
    <message>
        <source>Recovery phrase</source>
        <translation>Wiederherstellungswörter</translation>
    </message>
    <message>
        <source>Social security number</source>
        <translation>Sozialversicherungsnummer</translation>
    </message>
    <message>
        <source>Identity number</source>
        <translation>Ausweis- oder Steuernummer</translation>
    </message>
    <message>
        <source>Active</source>
        <translation>Aktiv</translation>
    </message>
    <message>
        <source>Disabled</source>
        <translation>Ausgeschaltet</translation>
    </message>
    <message>
        <source>Waits for review</source>
        <translation>Wartet auf Prüfung</translation>
    </message>
    <message>
        <source>Quarantined</source>
        <translation>In Quarantäne</translation>
    </message>
    <message>
        <source>Superseded</source>
        <translation>Überholt</translation>
    </message>
    <message>
        <source>Merged</source>
        <translation>Zusammengeführt</translation>
    </message>
    <message>
        <source>In the bin</source>
        <translation>Im Papierkorb</translation>
    </message>
    <message>
        <source>at rest</source>
        <translation>ruht</translation>
    </message>
    <message>
        <source>starting</source>
        <translation>startet</translation>
    </message>
    <message>
        <source>ready</source>
        <translation>bereit</translation>
    </message>
    <message>
        <source>working</source>
        <translation>arbeitet</translation>
    </message>
    <message>
        <source>restarting</source>
        <translation>startet neu</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>fehlgeschlagen</translation>
    </message>
    <message>
        <source>running</source>
        <translation>läuft</translation>
    </message>
    <message>
        <source>done</source>
        <translation>fertig</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>angehalten</translation>
    </message>
    <message>
        <source>undone</source>
        <translation>rückgängig gemacht</translation>
    </message>
    <message>
        <source>Exact words</source>
        <translation>Genaue Worte</translation>
    </message>
    <message>
        <source>No memory</source>
        <translation>Kein Gedächtnis</translation>
    </message>
    <message>
        <source>an earlier conversation</source>
        <translation>ein früheres Gespräch</translation>
    </message>
    <message>
        <source>a phrase of yours</source>
        <translation>eine Wendung von dir</translation>
    </message>
    <message>
        <source>a person or thing it knows</source>
        <translation>jemand oder etwas Bekanntes</translation>
    </message>
    <message>
        <source>something is remembered about it</source>
        <translation>darüber ist etwas gemerkt</translation>
    </message>
    <message>
        <source>nothing is remembered about it</source>
        <translation>darüber ist nichts gemerkt</translation>
    </message>
    <message>
        <source>worded like a question about memory</source>
        <translation>klingt wie eine Frage nach Gemerktem</translation>
    </message>
    <message>
        <source>it asks for nothing remembered</source>
        <translation>fragt nach nichts Gemerktem</translation>
    </message>
    <message>
        <source>a repeat</source>
        <translation>schon gesagt</translation>
    </message>
    <message>
        <source>reads like an instruction</source>
        <translation>liest sich wie eine Anweisung</translation>
    </message>
    <message>
        <source>faded</source>
        <translation>verblasst</translation>
    </message>
    <message>
        <source>merged</source>
        <translation>zusammengeführt</translation>
    </message>
    <message>
        <source>strengthened</source>
        <translation>gestärkt</translation>
    </message>
    <message>
        <source>removed</source>
        <translation>aussortiert</translation>
    </message>
    <message>
        <source>restored</source>
        <translation>zurückgeholt</translation>
    </message>
    <message>
        <source>exact words</source>
        <translation>der Wortlaut</translation>
    </message>
    <message>
        <source>cut off at the length limit</source>
        <translation>bei der größten Länge abgeschnitten</translation>
    </message>
    <message>
        <source>ended because it kept repeating itself</source>
        <translation>beendet, weil sie sich nur noch wiederholte</translation>
    </message>
    <message>
        <source>{n} s</source>
        <translation>{n} s</translation>
    </message>
    <message>
        <source>about you</source>
        <translation>über dich</translation>
    </message>
    <message>
        <source>a known name</source>
        <translation>ein bekannter Name</translation>
    </message>
    <message>
        <source>the core model chose</source>
        <translation>das Kernmodell hat gewählt</translation>
    </message>
    <message>
        <source>the gate is off</source>
        <translation>der Relevanzfilter ist aus</translation>
    </message>
    <message>
        <source>asked for</source>
        <translation>verlangt</translation>
    </message>
    <message>
        <source>one word alone</source>
        <translation>ein einzelnes Wort</translation>
    </message>
    <message>
        <source>a task, not about you</source>
        <translation>eine Aufgabe, nicht über dich</translation>
    </message>
    <message>
        <source>a past time</source>
        <translation>eine frühere Zeit</translation>
    </message>
    <message>
        <source>{rule}; the core model did not choose</source>
        <translation>{rule}; das Kernmodell hat nicht gewählt</translation>
    </message>
    <message>
        <source>words and meaning</source>
        <translation>Wörter und Bedeutung</translation>
    </message>
    <message>
        <source>words alone</source>
        <translation>nur Wörter</translation>
    </message>
    <message>
        <source>no room</source>
        <translation>kein Platz</translation>
    </message>
    <message>
        <source>too weak</source>
        <translation>zu schwach</translation>
    </message>
    <message>
        <source>not used here</source>
        <translation>hier nicht benutzt</translation>
    </message>
    <message>
        <source>kept on this machine</source>
        <translation>bleibt auf diesem Rechner</translation>
    </message>
    <message>
        <source>Person</source>
        <translation>Person</translation>
    </message>
    <message>
        <source>Pet</source>
        <translation>Haustier</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>Ort</translation>
    </message>
    <message>
        <source>Organization</source>
        <translation>Organisation</translation>
    </message>
    <message>
        <source>Project</source>
        <translation>Projekt</translation>
    </message>
    <message>
        <source>Product</source>
        <translation>Produkt</translation>
    </message>
    <message>
        <source>Tool</source>
        <translation>Werkzeug</translation>
    </message>
    <message>
        <source>works at</source>
        <translation>arbeitet bei</translation>
    </message>
    <message>
        <source>studies at</source>
        <translation>studiert an</translation>
    </message>
    <message>
        <source>lives in</source>
        <translation>wohnt in</translation>
    </message>
    <message>
        <source>was born in</source>
        <translation>ist geboren in</translation>
    </message>
    <message>
        <source>comes from</source>
        <translation>kommt aus</translation>
    </message>
    <message>
        <source>reports to</source>
        <translation>berichtet an</translation>
    </message>
    <message>
        <source>is the partner of</source>
        <translation>ist zusammen mit</translation>
    </message>
    <message>
        <source>is married to</source>
        <translation>ist verheiratet mit</translation>
    </message>
    <message>
        <source>is engaged to</source>
        <translation>ist verlobt mit</translation>
    </message>
    <message>
        <source>is a sibling of</source>
        <translation>ist Bruder oder Schwester von</translation>
    </message>
    <message>
        <source>is a parent of</source>
        <translation>ist Elternteil von</translation>
    </message>
    <message>
        <source>is a grandparent of</source>
        <translation>ist Großelternteil von</translation>
    </message>
    <message>
        <source>is a grandmother of</source>
        <translation>ist Großmutter von</translation>
    </message>
    <message>
        <source>is a grandfather of</source>
        <translation>ist Großvater von</translation>
    </message>
    <message>
        <source>is an aunt of</source>
        <translation>ist Tante von</translation>
    </message>
    <message>
        <source>is an uncle of</source>
        <translation>ist Onkel von</translation>
    </message>
    <message>
        <source>is a niece of</source>
        <translation>ist Nichte von</translation>
    </message>
    <message>
        <source>is a nephew of</source>
        <translation>ist Neffe von</translation>
    </message>
    <message>
        <source>is a cousin of</source>
        <translation>ist Cousin oder Cousine von</translation>
    </message>
    <message>
        <source>is the girlfriend of</source>
        <translation>ist die Freundin von</translation>
    </message>
    <message>
        <source>is the boyfriend of</source>
        <translation>ist der Freund von</translation>
    </message>
    <message>
        <source>is a friend of</source>
        <translation>ist befreundet mit</translation>
    </message>
    <message>
        <source>is a neighbor of</source>
        <translation>wohnt neben</translation>
    </message>
    <message>
        <source>shares a home with</source>
        <translation>wohnt zusammen mit</translation>
    </message>
    <message>
        <source>is a colleague of</source>
        <translation>arbeitet zusammen mit</translation>
    </message>
    <message>
        <source>is the boss of</source>
        <translation>ist Vorgesetzte oder Vorgesetzter von</translation>
    </message>
    <message>
        <source>is an assistant of</source>
        <translation>arbeitet als Assistenz für</translation>
    </message>
    <message>
        <source>is a client of</source>
        <translation>ist Kundschaft von</translation>
    </message>
    <message>
        <source>is the doctor of</source>
        <translation>behandelt ärztlich:</translation>
    </message>
    <message>
        <source>is the dentist of</source>
        <translation>behandelt zahnärztlich:</translation>
    </message>
    <message>
        <source>is the therapist of</source>
        <translation>behandelt therapeutisch:</translation>
    </message>
    <message>
        <source>is a teacher of</source>
        <translation>unterrichtet</translation>
    </message>
    <message>
        <source>is a coach of</source>
        <translation>trainiert</translation>
    </message>
    <message>
        <source>is the landlord of</source>
        <translation>ist der Vermieter von</translation>
    </message>
    <message>
        <source>is the landlady of</source>
        <translation>ist die Vermieterin von</translation>
    </message>
    <message>
        <source>is a tenant of</source>
        <translation>mietet bei</translation>
    </message>
    <message>
        <source>founded</source>
        <translation>hat gegründet:</translation>
    </message>
    <message>
        <source>owns</source>
        <translation>besitzt</translation>
    </message>
    <message>
        <source>leads</source>
        <translation>leitet</translation>
    </message>
    <message>
        <source>manages</source>
        <translation>führt</translation>
    </message>
    <message>
        <source>is {role} of</source>
        <translation>ist {role} von</translation>
    </message>
    <message>
        <source>added</source>
        <translation>hinzugefügt</translation>
    </message>
    <message>
        <source>edited</source>
        <translation>bearbeitet</translation>
    </message>
    <message>
        <source>replaced</source>
        <translation>ersetzt</translation>
    </message>
    <message>
        <source>moved to the bin</source>
        <translation>in den Papierkorb gelegt</translation>
    </message>
    <message>
        <source>accepted</source>
        <translation>angenommen</translation>
    </message>
    <message>
        <source>rejected</source>
        <translation>abgelehnt</translation>
    </message>
    <message>
        <source>forgotten</source>
        <translation>vergessen</translation>
    </message>
    <message>
        <source>recorded</source>
        <translation>aufgezeichnet</translation>
    </message>
    <message>
        <source>You</source>
        <translation>Du</translation>
    </message>
    <message>
        <source>Distillation</source>
        <translation>Destillation</translation>
    </message>
    <message>
        <source>Consolidation</source>
        <translation>Konsolidierung</translation>
    </message>
    <message>
        <source>A program</source>
        <translation>Ein Programm</translation>
    </message>
    <message>
        <source>Import</source>
        <translation>Import</translation>
    </message>
    <message numerus="yes">
        <source>%n thoughts of models</source>
        <translation>
            <numerusform>%Ln Gedankengang eines Modells</numerusform>
            <numerusform>%Ln Gedankengänge von Modellen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tool calls and results</source>
        <translation>
            <numerusform>%Ln Werkzeugaufruf oder -ergebnis</numerusform>
            <numerusform>%Ln Werkzeugaufrufe und -ergebnisse</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n pictures and files</source>
        <translation>
            <numerusform>%Ln Bild oder Datei</numerusform>
            <numerusform>%Ln Bilder und Dateien</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n instructions and hidden messages</source>
        <translation>
            <numerusform>%Ln Anweisung oder verborgene Nachricht</numerusform>
            <numerusform>%Ln Anweisungen und verborgene Nachrichten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n messages of other versions</source>
        <translation>
            <numerusform>%Ln Nachricht einer anderen Fassung</numerusform>
            <numerusform>%Ln Nachrichten anderer Fassungen</numerusform>
        </translation>
    </message>
    <message>
        <source>Agent</source>
        <translation>Agent</translation>
    </message>
    <message>
        <source>Line about you</source>
        <translation>Zeile über dich</translation>
    </message>
    <message numerus="yes">
        <source>With all %n changes that were made in one go</source>
        <translation>
            <numerusform>Mit der %Ln Änderung, die in einem Zug gemacht wurde</numerusform>
            <numerusform>Mit allen %Ln Änderungen, die in einem Zug gemacht wurden</numerusform>
        </translation>
    </message>
    <message>
        <source>Take this change back?</source>
        <translation>Diese Änderung zurücknehmen?</translation>
    </message>
    <message>
        <source>{program} is disconnected</source>
        <extracomment>The port in a URL while the server has none: 0 means any free one.</extracomment>
        <translation>{program} ist getrennt</translation>
    </message>
    <message>
        <source>Added by it: will be forgotten</source>
        <translation>Von ihm hinzugefügt, dann vergessen</translation>
    </message>
    <message>
        <source>Changed by it: will be restored</source>
        <translation>Von ihm geändert, dann wie zuvor</translation>
    </message>
    <message>
        <source>People, things and relations it made</source>
        <translation>Personen, Dinge und Beziehungen, die es angelegt hat</translation>
    </message>
    <message>
        <source>Messages it sent, with their answers</source>
        <translation>Nachrichten, die es geschickt hat, mit ihren Antworten</translation>
    </message>
    <message>
        <source>Learned from these messages alone</source>
        <translation>Nur aus diesen Nachrichten gelernt</translation>
    </message>
    <message numerus="yes">
        <source>%n changed by others since are kept</source>
        <translation>
            <numerusform>%Ln Eintrag, der seither anderweitig geändert wurde, bleibt</numerusform>
            <numerusform>%Ln Einträge, die seither anderweitig geändert wurden, bleiben</numerusform>
        </translation>
    </message>
    <message>
        <source>What {program} wrote was undone</source>
        <translation>Was {program} geschrieben hat, ist zurückgenommen</translation>
    </message>
    <message>
        <source>Undo everything {program} wrote?</source>
        <translation>Alles zurücknehmen, was {program} geschrieben hat?</translation>
    </message>
    <message>
        <source>What it added and sent is forgotten for good; what it changed is as it was before.</source>
        <translation>Was es hinzugefügt und geschickt hat, wird endgültig vergessen; was es geändert hat, ist wieder wie zuvor.</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Zurücknehmen</translation>
    </message>
    <message>
        <source>{gone} becomes separate from {name} again, with its own names, facts and relations.</source>
        <translation>{gone} ist wieder von {name} getrennt, mit den eigenen Namen, Fakten und Beziehungen.</translation>
    </message>
    <message>
        <source>{field}: {now} → {before}</source>
        <translation>{field}: {now} → {before}</translation>
    </message>
    <message>
        <source>What was changed again since stays as it is.</source>
        <translation>Was seither wieder geändert wurde, bleibt, wie es ist.</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>Text</translation>
    </message>
    <message>
        <source>Summary</source>
        <translation>Zusammenfassung</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>Also called</source>
        <translation>Auch genannt</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Tags</source>
        <translation>Schlagwörter</translation>
    </message>
    <message>
        <source>Topics</source>
        <translation>Themen</translation>
    </message>
    <message>
        <source>Decisions</source>
        <translation>Entscheidungen</translation>
    </message>
    <message>
        <source>Action items</source>
        <translation>Aufgaben</translation>
    </message>
    <message>
        <source>True from</source>
        <translation>Gilt ab</translation>
    </message>
    <message>
        <source>True until</source>
        <translation>Gilt bis</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>Schlüssel</translation>
    </message>
    <message>
        <source>Expires on</source>
        <translation>Läuft ab am</translation>
    </message>
    <message>
        <source>none</source>
        <translation>nichts</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>ja</translation>
    </message>
    <message>
        <source>no</source>
        <translation>nein</translation>
    </message>
    <message>
        <source>An unexpected {kind} stopped this action. Nothing else is affected.</source>
        <translation>Ein unerwarteter {kind} hat diese Aktion abgebrochen. Sonst ist nichts betroffen.</translation>
    </message>
    <message>
        <source>Copy a report under Diagnostics and send it to us.</source>
        <translation>Kopiere einen Bericht unter Diagnose und schick ihn uns.</translation>
    </message>
    <message>
        <source>What was here before is in {folder}.</source>
        <translation>Was vorher hier war, liegt in {folder}.</translation>
    </message>
    <message>
        <source>The backup was restored</source>
        <translation>Die Sicherung ist wiederhergestellt</translation>
    </message>
    <message>
        <source>Health</source>
        <extracomment>Longest prompt, in characters: under 700 tokens in any tokenizer, so that the session fits in small models. Longest phrase, in characters; each message is searched for every phrase.</extracomment>
        <translation>Gesundheit</translation>
    </message>
    <message>
        <source>Money</source>
        <translation>Geld</translation>
    </message>
    <message>
        <source>Passwords, cards and accounts</source>
        <translation>Passwörter, Karten, Konten</translation>
    </message>
    <message>
        <source>Other people</source>
        <translation>Andere Menschen</translation>
    </message>
    <message>
        <source>Phrase</source>
        <translation>Wendung</translation>
    </message>
    <message>
        <source>Leads to</source>
        <translation>Führt zu</translation>
    </message>
    <message>
        <source>None yet.</source>
        <translation>Noch keine.</translation>
    </message>
    <message>
        <source>Add a phrase</source>
        <translation>Wendung hinzufügen</translation>
    </message>
    <message>
        <source>For example: my diary</source>
        <translation>Zum Beispiel: mein Tagebuch</translation>
    </message>
    <message>
        <source>This phrase is there already.</source>
        <translation>Diese Wendung gibt es schon.</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>Add a folder</source>
        <translation>Ordner hinzufügen</translation>
    </message>
    <message>
        <source>This folder is there already.</source>
        <translation>Diesen Ordner gibt es schon.</translation>
    </message>
    <message>
        <source>Web origin</source>
        <translation>Web-Herkunft</translation>
    </message>
    <message>
        <source>None: no web page may call the server.</source>
        <translation>Keine: Webseiten dürfen den Server nicht aufrufen.</translation>
    </message>
    <message>
        <source>Add an origin</source>
        <translation>Herkunft hinzufügen</translation>
    </message>
    <message>
        <source>This origin is there already.</source>
        <translation>Diese Herkunft gibt es schon.</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>None.</source>
        <translation>Keine.</translation>
    </message>
    <message>
        <source>Add a model</source>
        <translation>Modell hinzufügen</translation>
    </message>
    <message>
        <source>This model is there already.</source>
        <translation>Dieses Modell steht schon da.</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>Anweisung</translation>
    </message>
    <message>
        <source>Use this text</source>
        <translation>Diesen Text verwenden</translation>
    </message>
    <message>
        <source>A prompt can have at most {n} characters.</source>
        <translation>Eine Anweisung hat höchstens {n} Zeichen.</translation>
    </message>
    <message>
        <source>Version {n}, as it ships</source>
        <translation>Version {n}, wie mitgeliefert</translation>
    </message>
    <message>
        <source>Your own text; version {n} ships</source>
        <translation>Dein eigener Text; mitgeliefert wird Version {n}</translation>
    </message>
    <message>
        <source>Manage under Models</source>
        <translation>Unter Modelle verwalten</translation>
    </message>
    <message>
        <source>A phrase can have at most {n} characters.</source>
        <translation>Eine Wendung hat höchstens {n} Zeichen.</translation>
    </message>
    <message>
        <source>A phrase needs a letter or a digit.</source>
        <translation>Eine Wendung braucht einen Buchstaben oder eine Ziffer.</translation>
    </message>
    <message>
        <source>Give the absolute path, such as {example}.</source>
        <translation>Gib den ganzen Pfad an, etwa {example}.</translation>
    </message>
    <message>
        <source>An origin must be http:// or https:// with a host and perhaps a port, without a path.</source>
        <translation>Eine Herkunft ist http:// oder https:// mit einem Rechnernamen und vielleicht einem Port, ohne Pfad.</translation>
    </message>
    <message>
        <source>An address must begin with http:// or https:// and a host.</source>
        <translation>Eine Adresse beginnt mit http:// oder https:// und einem Rechnernamen.</translation>
    </message>
    <message>
        <source>The address must be a host name or an IP address of this machine, such as 127.0.0.1.</source>
        <translation>Eine Adresse ist ein Name oder eine Nummer dieses Rechners, etwa 127.0.0.1.</translation>
    </message>
    <message>
        <source>Qdrant&apos;s key</source>
        <extracomment>Validators of options&apos; texts while typing, by option name.</extracomment>
        <translation>Schlüssel für Qdrant</translation>
    </message>
    <message>
        <source>Remove the key</source>
        <translation>Schlüssel entfernen</translation>
    </message>
    <message>
        <source>Kept in the system&apos;s keyring, or in the encrypted memory where there is none.</source>
        <translation>Liegt im Schlüsselbund des Systems oder, wo es keinen gibt, im verschlüsselten Gedächtnis.</translation>
    </message>
    <message>
        <source>Save the key</source>
        <translation>Schlüssel speichern</translation>
    </message>
    <message>
        <source>Qdrant answers</source>
        <translation>Qdrant antwortet</translation>
    </message>
    <message>
        <source>A key is stored</source>
        <translation>Ein Schlüssel ist hinterlegt</translation>
    </message>
    <message>
        <source>None</source>
        <translation>Keiner</translation>
    </message>
    <message>
        <source>Embedding model</source>
        <translation>Einbettungsmodell</translation>
    </message>
    <message>
        <source>This server is on another machine: what is remembered leaves this one to be embedded. Secrets and what is kept here do not.</source>
        <translation>Dieser Server steht auf einem anderen Rechner: Für ihre Vektoren verlassen Erinnerungen diesen hier. Geheimnisse und was nur hier bleiben soll nicht.</translation>
    </message>
    <message>
        <source>Choose a folder</source>
        <extracomment>A text and the key of its choice, empty if there is none. Returns what is wrong with a text, in a sentence; empty if valid.</extracomment>
        <translation>Ordner wählen</translation>
    </message>
    <message>
        <source>Choose a GGUF file</source>
        <translation>GGUF-Datei wählen</translation>
    </message>
    <message>
        <source>The first on this machine that works</source>
        <translation>Das erste auf diesem Rechner, das geht</translation>
    </message>
    <message>
        <source>Folder of an embedding model</source>
        <translation>Ordner eines Einbettungsmodells</translation>
    </message>
    <message>
        <source>GGUF file of an embedding model</source>
        <translation>GGUF-Datei eines Einbettungsmodells</translation>
    </message>
    <message>
        <source>Remove {name}</source>
        <translation>{name} entfernen</translation>
    </message>
    <message numerus="yes">
        <source>%n conversations were imported.</source>
        <translation>
            <numerusform>%Ln Gespräch wurde importiert.</numerusform>
            <numerusform>%Ln Gespräche wurden importiert.</numerusform>
        </translation>
    </message>
    <message>
        <source>Import chats</source>
        <translation>Chats importieren</translation>
    </message>
    <message>
        <source>Copy</source>
        <extracomment>The placeholder of a picture in text. After this many seconds of drawing, the rest waits for the next round of the event loop. Line height of prose, in percent of the font&apos;s.</extracomment>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>Alles auswählen</translation>
    </message>
    <message>
        <source>pinned by you</source>
        <extracomment>The fact that replaced it, if any. Its agent; empty if there is only one.</extracomment>
        <translation>von dir angeheftet</translation>
    </message>
    <message>
        <source>written by you</source>
        <translation>von dir geschrieben</translation>
    </message>
    <message>
        <source>distilled</source>
        <translation>destilliert</translation>
    </message>
    <message>
        <source>from consolidation</source>
        <translation>aus der Konsolidierung</translation>
    </message>
    <message>
        <source>from a program</source>
        <translation>von einem Programm</translation>
    </message>
    <message>
        <source>imported</source>
        <translation>importiert</translation>
    </message>
    <message>
        <source>not said by you</source>
        <translation>nicht von dir gesagt</translation>
    </message>
    <message>
        <source>Show all facts with the tag {tag}</source>
        <translation>Alle Fakten mit dem Schlagwort {tag} zeigen</translation>
    </message>
    <message>
        <source>True from {start} until {end}</source>
        <translation>Gilt vom {start} bis {end}</translation>
    </message>
    <message>
        <source>True since {day}</source>
        <translation>Gilt seit {day}</translation>
    </message>
    <message>
        <source>True until {day}</source>
        <translation>Gilt bis {day}</translation>
    </message>
    <message>
        <source>Key: {key}</source>
        <translation>Schlüssel: {key}</translation>
    </message>
    <message>
        <source>Last confirmed on {day}</source>
        <translation>Zuletzt bestätigt am {day}</translation>
    </message>
    <message>
        <source>Replaced by:</source>
        <translation>An seine Stelle trat:</translation>
    </message>
    <message>
        <source>Salience</source>
        <translation>Gewicht</translation>
    </message>
    <message>
        <source>does not fade</source>
        <translation>verblasst nicht</translation>
    </message>
    <message>
        <source>has faded: the next consolidation puts it in the bin</source>
        <translation>ist verblasst: Die nächste Konsolidierung legt es in den Papierkorb</translation>
    </message>
    <message>
        <source>fades until {day} unless it is used, and then goes to the bin</source>
        <translation>verblasst bis {day}, wenn es nicht benutzt wird, und kommt dann in den Papierkorb</translation>
    </message>
    <message numerus="yes">
        <source>used %n times</source>
        <translation>
            <numerusform>%Ln-mal benutzt</numerusform>
            <numerusform>%Ln-mal benutzt</numerusform>
        </translation>
    </message>
    <message>
        <source>not used yet</source>
        <translation>noch nicht benutzt</translation>
    </message>
    <message>
        <source>last on {day}</source>
        <translation>zuletzt am {day}</translation>
    </message>
    <message>
        <source>Where it came from</source>
        <translation>Woher es kam</translation>
    </message>
    <message>
        <source>No message: it was written by hand.</source>
        <translation>Keine Nachricht: von Hand geschrieben.</translation>
    </message>
    <message>
        <source>The message is gone.</source>
        <translation>Die Nachricht gibt es nicht mehr.</translation>
    </message>
    <message>
        <source>Open the conversation {title}</source>
        <translation>Das Gespräch {title} öffnen</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Alike</source>
        <translation>Ähnlich</translation>
    </message>
    <message>
        <source>Similarity</source>
        <translation>Ähnlichkeit</translation>
    </message>
    <message>
        <source>History</source>
        <translation>Verlauf</translation>
    </message>
    <message>
        <source>Not changed since it was learned.</source>
        <translation>Unverändert, seit es gelernt wurde.</translation>
    </message>
    <message>
        <source>was: {text}</source>
        <translation>vorher: {text}</translation>
    </message>
    <message>
        <source>Undo: {what}</source>
        <translation>Zurücknehmen: {what}</translation>
    </message>
    <message>
        <source>Undo…</source>
        <translation>Zurücknehmen …</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Zeigen</translation>
    </message>
    <message>
        <source>Database on disk</source>
        <translation>Datenbank auf der Festplatte</translation>
    </message>
    <message>
        <source>Free inside it</source>
        <translation>Davon frei</translation>
    </message>
    <message>
        <source>Texts with a vector</source>
        <translation>Texte mit Vektor</translation>
    </message>
    <message>
        <source>Searching the memory for a reply, median</source>
        <translation>Suche im Gedächtnis für eine Antwort, Median</translation>
    </message>
    <message>
        <source>Chat model, writing</source>
        <translation>Chat-Modell, schreibend</translation>
    </message>
    <message>
        <source>{n} tokens/s</source>
        <translation>{n} Token/s</translation>
    </message>
    <message>
        <source>Chat model, reading</source>
        <translation>Chat-Modell, lesend</translation>
    </message>
    <message>
        <source>Chat model, time to load</source>
        <translation>Chat-Modell, Zeit zum Laden</translation>
    </message>
    <message>
        <source>Searches answered from the cache</source>
        <translation>Suchen aus dem Zwischenspeicher</translation>
    </message>
    <message>
        <source>Writing to the database, mean</source>
        <translation>Schreiben in die Datenbank, im Mittel</translation>
    </message>
    <message>
        <source>Writing to the database, longest</source>
        <translation>Schreiben in die Datenbank, am längsten</translation>
    </message>
    <message>
        <source>in order</source>
        <translation>in Ordnung</translation>
    </message>
    <message>
        <source>needs attention</source>
        <translation>braucht Aufmerksamkeit</translation>
    </message>
    <message>
        <source>not working</source>
        <translation>geht nicht</translation>
    </message>
    <message>
        <source>Backups</source>
        <translation>Sicherungen</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>Modelle</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Server settings</source>
        <translation>Server-Einstellungen</translation>
    </message>
    <message>
        <source>In a chat</source>
        <translation>In einem Gespräch</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>Senden</translation>
    </message>
    <message>
        <source>New line</source>
        <translation>Neue Zeile</translation>
    </message>
    <message>
        <source>Send an edited message</source>
        <translation>Bearbeitete Nachricht senden</translation>
    </message>
    <message>
        <source>In lists</source>
        <translation>In Listen</translation>
    </message>
    <message>
        <source>Rename or edit</source>
        <translation>Umbenennen oder bearbeiten</translation>
    </message>
    <message>
        <source>Delete or forget</source>
        <translation>Löschen oder vergessen</translation>
    </message>
    <message>
        <source>Go back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Everywhere</source>
        <translation>Überall</translation>
    </message>
    <message>
        <source>Next control</source>
        <translation>Nächstes Bedienelement</translation>
    </message>
    <message>
        <source>Press a button</source>
        <translation>Schaltfläche drücken</translation>
    </message>
    <message>
        <source>Close a dialog or a panel</source>
        <translation>Dialog oder Seitenleiste schließen</translation>
    </message>
    <message>
        <source>Memory: {part}</source>
        <translation>Gedächtnis: {part}</translation>
    </message>
    <message>
        <source>Settings: {part}</source>
        <translation>Einstellungen: {part}</translation>
    </message>
    <message>
        <source>Identity</source>
        <translation>Identität</translation>
    </message>
    <message>
        <source>Transcript</source>
        <translation>Wortlaut</translation>
    </message>
    <message>
        <source>People &amp; things</source>
        <translation>Personen &amp; Dinge</translation>
    </message>
    <message>
        <source>Files &amp; links</source>
        <translation>Dateien &amp; Links</translation>
    </message>
    <message>
        <source>Review</source>
        <translation>Prüfen</translation>
    </message>
    <message>
        <source>Activity</source>
        <translation>Verlauf</translation>
    </message>
    <message>
        <source>Tests</source>
        <translation>Tests</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Gedächtnis</translation>
    </message>
    <message>
        <source>Engine</source>
        <translation>Engine</translation>
    </message>
    <message>
        <source>threads context unload</source>
        <translation>Threads Kontext Entladen</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>Server</translation>
    </message>
    <message>
        <source>port tokens clients API</source>
        <translation>Port Token Programme API</translation>
    </message>
    <message>
        <source>Programs</source>
        <translation>Programme</translation>
    </message>
    <message>
        <source>connect MCP Claude Cursor VS Code Zed LM Studio Open WebUI</source>
        <translation>verbinden MCP Claude Cursor VS Code Zed LM Studio Open WebUI</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>Aussehen</translation>
    </message>
    <message>
        <source>theme language text size tray start at login</source>
        <translation>Farben Sprache Schriftgröße Infobereich Start bei der Anmeldung</translation>
    </message>
    <message>
        <source>Privacy</source>
        <translation>Privatsphäre</translation>
    </message>
    <message>
        <source>backup recovery code passphrase forget everything</source>
        <translation>Sicherung Wiederherstellungscode Passphrase alles vergessen</translation>
    </message>
    <message>
        <source>New agent</source>
        <translation>Neuer Agent</translation>
    </message>
    <message>
        <source>Import an agent</source>
        <translation>Agenten importieren</translation>
    </message>
    <message>
        <source>Add a model file</source>
        <translation>Modelldatei hinzufügen</translation>
    </message>
    <message>
        <source>Add a folder of models</source>
        <translation>Ordner mit Modellen hinzufügen</translation>
    </message>
    <message>
        <source>Find models on this machine</source>
        <translation>Modelle auf diesem Rechner suchen</translation>
    </message>
    <message>
        <source>Add a model server</source>
        <translation>Modellserver hinzufügen</translation>
    </message>
    <message>
        <source>remote OpenAI key</source>
        <translation>entfernt OpenAI Schlüssel</translation>
    </message>
    <message>
        <source>hub</source>
        <translation>Hub</translation>
    </message>
    <message>
        <source>Copy a report for a bug</source>
        <translation>Bericht für einen Fehler kopieren</translation>
    </message>
    <message>
        <source>Restart the local server</source>
        <translation>Lokalen Server neu starten</translation>
    </message>
    <message>
        <source>Back up</source>
        <translation>Sichern</translation>
    </message>
    <message>
        <source>Export everything</source>
        <translation>Alles exportieren</translation>
    </message>
    <message>
        <source>Try your recovery code</source>
        <translation>Wiederherstellungscode ausprobieren</translation>
    </message>
    <message>
        <source>Set passphrase</source>
        <translation>Passphrase setzen</translation>
    </message>
    <message>
        <source>The new language shows at the next start</source>
        <extracomment>Switch interval of the interpreter, in seconds: a handler competes for the lock again after each call into Qt, and at Python&apos;s default of 5 ms a busy lane stretches 20 ms of work to 300. When objects are frozen for the garbage collector, in ms after the start: every page&apos;s code is loaded by then. Passes over younger objects before a full collection.</extracomment>
        <translation>Die neue Sprache gilt ab dem nächsten Start</translation>
    </message>
    <message>
        <source>Until then nothing is lost.</source>
        <translation>Bis dahin geht nichts verloren.</translation>
    </message>
    <message numerus="yes">
        <source>%n conversations were found</source>
        <translation>
            <numerusform>%Ln Gespräch gefunden</numerusform>
            <numerusform>%Ln Gespräche gefunden</numerusform>
        </translation>
    </message>
    <message>
        <source>They date from {a} to {b}.</source>
        <translation>Geführt zwischen {a} und {b}.</translation>
    </message>
    <message>
        <source>They date from {a}.</source>
        <translation>Geführt am {a}.</translation>
    </message>
    <message numerus="yes">
        <source>%n are new</source>
        <translation>
            <numerusform>%Ln ist neu</numerusform>
            <numerusform>%Ln sind neu</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n replace older copies</source>
        <translation>
            <numerusform>%Ln ersetzt eine ältere Fassung</numerusform>
            <numerusform>%Ln ersetzen ältere Fassungen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n are here already</source>
        <translation>
            <numerusform>%Ln ist schon da</numerusform>
            <numerusform>%Ln sind schon da</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n were continued here since and are left as they are.</source>
        <translation>
            <numerusform>%Ln ging seither hier weiter und bleibt, wie es ist.</numerusform>
            <numerusform>%Ln gingen seither hier weiter und bleiben, wie sie sind.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n messages are stored, encrypted, on this computer.</source>
        <translation>
            <numerusform>%Ln Nachricht wird verschlüsselt auf diesem Rechner gespeichert.</numerusform>
            <numerusform>%Ln Nachrichten werden verschlüsselt auf diesem Rechner gespeichert.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n facts and lines about you are added.</source>
        <translation>
            <numerusform>%n Fakt oder Zeile über dich kommt dazu.</numerusform>
            <numerusform>%Ln Fakten und Zeilen über dich kommen dazu.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n memories become facts</source>
        <translation>
            <numerusform>Aus %n Erinnerung wird ein Fakt</numerusform>
            <numerusform>Aus %Ln Erinnerungen werden Fakten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n instructions go to your prompts</source>
        <translation>
            <numerusform>%n Anweisung kommt zu deinen Prompts</numerusform>
            <numerusform>%Ln Anweisungen kommen zu deinen Prompts</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n projects become folders</source>
        <translation>
            <numerusform>Aus %n Projekt wird ein Ordner</numerusform>
            <numerusform>Aus %Ln Projekten werden Ordner</numerusform>
        </translation>
    </message>
    <message>
        <source>From the other app: {parts}.</source>
        <translation>Aus der anderen App: {parts}.</translation>
    </message>
    <message numerus="yes">
        <source>%n parts of unknown kinds</source>
        <translation>
            <numerusform>%Ln Teil unbekannter Art</numerusform>
            <numerusform>%Ln Teile unbekannter Art</numerusform>
        </translation>
    </message>
    <message>
        <source>Not imported: {parts}.</source>
        <translation>Nicht übernommen: {parts}.</translation>
    </message>
    <message numerus="yes">
        <source>%n files hold no conversations</source>
        <translation>
            <numerusform>%Ln Datei enthält keine Gespräche</numerusform>
            <numerusform>%Ln Dateien enthalten keine Gespräche</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n entries cannot be read</source>
        <translation>
            <numerusform>%Ln Eintrag ist nicht lesbar</numerusform>
            <numerusform>%Ln Einträge sind nicht lesbar</numerusform>
        </translation>
    </message>
    <message>
        <source>Learning goes on in the background; it can be paused, and goes on after a restart.</source>
        <translation>Gelernt wird im Hintergrund. Das lässt sich anhalten und geht nach einem Neustart weiter.</translation>
    </message>
    <message>
        <source>Learning takes {time} of work in the background; it can be paused, and goes on after a restart.</source>
        <translation>Das Lernen dauert im Hintergrund {time}. Es lässt sich anhalten und geht nach einem Neustart weiter.</translation>
    </message>
    <message>
        <source>{m} min {s} s</source>
        <comment>a duration</comment>
        <translation>{m} min {s} s</translation>
    </message>
    <message>
        <source>{s} s</source>
        <comment>a duration</comment>
        <translation>{s} s</translation>
    </message>
    <message>
        <source>The folder is no longer remembered</source>
        <translation>Der Ordner wird nicht mehr gemerkt</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>unbekannt</translation>
    </message>
    <message>
        <source>This should always be found</source>
        <translation>Das soll immer gefunden werden</translation>
    </message>
    <message>
        <source>Memory, Tests will tell you if it no longer is.</source>
        <translation>Gedächtnis, Tests sagt es, wenn es nicht mehr gefunden wird.</translation>
    </message>
    <message>
        <source>It is not found now</source>
        <translation>Jetzt wird es nicht gefunden</translation>
    </message>
    <message>
        <source>Memory, Tests shows what changed.</source>
        <translation>Gedächtnis, Tests sagt, was sich verschoben hat.</translation>
    </message>
    <message>
        <source>Picture</source>
        <translation>Bild</translation>
    </message>
    <message numerus="yes">
        <source>%Ln pages</source>
        <translation>
            <numerusform>%Ln Seite</numerusform>
            <numerusform>%Ln Seiten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln characters</source>
        <translation>
            <numerusform>%Ln Zeichen</numerusform>
            <numerusform>%Ln Zeichen</numerusform>
        </translation>
    </message>
    <message>
        <source>{n} of {all} passages read</source>
        <translation>{n} von {all} Abschnitten gelesen</translation>
    </message>
    <message>
        <source>Show facts of the type {type}: {n}</source>
        <translation>Fakten vom Typ {type} zeigen: {n}</translation>
    </message>
    <message>
        <source>{part}: {state}</source>
        <translation>{part}: {state}</translation>
    </message>
    <message>
        <source>Health: {state}</source>
        <translation>Zustand: {state}</translation>
    </message>
    <message>
        <source>Move to “{name}”?</source>
        <translation>Nach „{name}“ verschieben?</translation>
    </message>
    <message>
        <source>This folder has a memory of its own. The chat moves to it, and no other chat recalls it. What becomes of what was learned from this chat alone?</source>
        <translation>Dieser Ordner hat ein eigenes Gedächtnis. Der Chat geht in ihn über, und kein anderer Chat erinnert sich an ihn. Was wird aus dem, was allein aus diesem Chat gelernt wurde?</translation>
    </message>
    <message>
        <source>Move</source>
        <translation>Verschieben</translation>
    </message>
    <message>
        <source>It moves too, and is recalled in the folder only</source>
        <translation>Es geht mit und wird nur im Ordner erinnert</translation>
    </message>
    <message>
        <source>It stays, and other chats recall it as before</source>
        <translation>Es bleibt, und andere Chats erinnern sich daran wie bisher</translation>
    </message>
    <message>
        <source>It is forgotten</source>
        <translation>Es wird vergessen</translation>
    </message>
    <message>
        <source>Delete the folder “{name}”?</source>
        <translation>Den Ordner „{name}“ löschen?</translation>
    </message>
    <message>
        <source>It has a memory of its own: all that was said and learned in it goes with it, and cannot be brought back.</source>
        <translation>Er hat ein eigenes Gedächtnis: Alles, was darin gesagt und gelernt wurde, geht mit ihm und lässt sich nicht zurückholen.</translation>
    </message>
    <message>
        <source>Its name and its instructions go; that cannot be undone.</source>
        <translation>Sein Name und seine Anweisungen gehen verloren; das lässt sich nicht rückgängig machen.</translation>
    </message>
    <message>
        <source>Also forget what was learned from them alone</source>
        <translation>Auch vergessen, was nur aus ihnen gelernt wurde</translation>
    </message>
    <message>
        <source>Keep its chats: they go back to the list</source>
        <translation>Seine Chats behalten: Sie kommen zurück in die Liste</translation>
    </message>
    <message>
        <source>Delete its chats, too, archived ones included</source>
        <translation>Auch seine Chats löschen, archivierte eingeschlossen</translation>
    </message>
    <message>
        <source>No program opens this file</source>
        <extracomment>How graphical editors take a line number. Plain-text notes: line numbers of other files refer to their extracted text. Passages of an agent&apos;s own files are shown as the files.</extracomment>
        <translation>Kein Programm öffnet diese Datei</translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation>Angehalten.</translation>
    </message>
    <message>
        <source>One model answers</source>
        <extracomment>The agent whose own model is listed first.</extracomment>
        <translation>Ein Modell antwortet</translation>
    </message>
    <message>
        <source>Beside it: {model}</source>
        <translation>Daneben: {model}</translation>
    </message>
    <message>
        <source>Add another model…</source>
        <translation>Weiteres Modell hinzufügen…</translation>
    </message>
    <message>
        <source>The system&apos;s voice cannot be used: {reason}.</source>
        <extracomment>A formula in text. Replies of Speech Dispatcher: ready for text, finished, stopped. The message being read; &quot;&quot; for none.</extracomment>
        <translation>Die Stimme des Systems ist nicht nutzbar: {reason}.</translation>
    </message>
    <message>
        <source>Speech Dispatcher says: {reason}</source>
        <translation>Speech Dispatcher meldet: {reason}</translation>
    </message>
    <message>
        <source>View enlarged</source>
        <translation>Groß ansehen</translation>
    </message>
    <message>
        <source>The question is about you, so the model was given the lines about you.</source>
        <translation>Die Frage handelt von dir, also bekam das Modell die Zeilen über dich.</translation>
    </message>
    <message>
        <source>The question touches on what you told or decided, so the model was given facts.</source>
        <translation>Die Frage berührt, was du erzählt oder entschieden hast, also bekam das Modell Fakten.</translation>
    </message>
    <message>
        <source>The question points to an earlier conversation, so the model was given its summary.</source>
        <translation>Die Frage verweist auf ein früheres Gespräch, also bekam das Modell dessen Zusammenfassung.</translation>
    </message>
    <message>
        <source>The question asks what exactly was said, so the model was given the messages themselves.</source>
        <translation>Die Frage will den genauen Wortlaut, also bekam das Modell die Nachrichten selbst.</translation>
    </message>
    <message>
        <source>Nothing in the message called for memory.</source>
        <translation>Nichts in der Nachricht verlangte nach dem Gedächtnis.</translation>
    </message>
    <message>
        <source>You chose where to look.</source>
        <translation>Du hast gewählt, wo gesucht wird.</translation>
    </message>
    <message>
        <source>The model was given only what it should always know.</source>
        <translation>Das Modell bekam nur, was es immer wissen soll.</translation>
    </message>
    <message>
        <source>There was room for more, which came from: {section}.</source>
        <translation>Es war noch Platz; er wurde gefüllt aus: {section}.</translation>
    </message>
    <message numerus="yes">
        <source>Show %n more</source>
        <extracomment>Parts shown at first, and added at a time.</extracomment>
        <translation>
            <numerusform>%Ln weiteren Eintrag zeigen</numerusform>
            <numerusform>%Ln weitere Einträge zeigen</numerusform>
        </translation>
    </message>
    <message>
        <source>Stop reading</source>
        <translation>Vorlesen beenden</translation>
    </message>
    <message>
        <source>Read aloud</source>
        <translation>Vorlesen</translation>
    </message>
    <message>
        <source>Read the last answer aloud</source>
        <translation>Letzte Antwort vorlesen</translation>
    </message>
    <message>
        <source>voice speak</source>
        <translation>stimme sprechen</translation>
    </message>
</context>
<context>
    <name>AboutDialog</name>
    <message>
        <source>Everything stays on this computer. memdesk asks for no updates and reports nothing by itself; it reaches a network only for servers and downloads that you set up.</source>
        <translation>Alles bleibt auf diesem Rechner. memdesk fragt nicht nach Aktualisierungen und meldet nichts von sich aus; ins Netz geht es nur für Server und Downloads, die du einrichtest.</translation>
    </message>
    <message>
        <source>Built with</source>
        <translation>Besteht aus</translation>
    </message>
    <message>
        <source>Qt and PySide6 are used unchanged under the GNU Lesser General Public License, version 3. They are separate libraries beside the app, and may be replaced with your own versions. Their source is at code.qt.io.</source>
        <translation>Qt und PySide6 werden unverändert unter der GNU Lesser General Public License, Version 3, verwendet. Sie liegen als eigene Bibliotheken neben der App und dürfen durch eigene Fassungen ersetzt werden. Ihre Quellen liegen unter code.qt.io.</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Documentation</source>
        <translation>Dokumentation</translation>
    </message>
    <message>
        <source>Report a bug</source>
        <translation>Fehler melden</translation>
    </message>
</context>
<context>
    <name>ActivityCard</name>
    <message>
        <source>Requests to the local server</source>
        <translation>Anfragen an den lokalen Server</translation>
    </message>
    <message>
        <source>No requests yet</source>
        <translation>Noch keine Anfragen</translation>
    </message>
    <message>
        <source>What programs ask of the server shows here.</source>
        <translation>Was Programme vom Server wollen, steht hier.</translation>
    </message>
    <message>
        <source>Times, clients and routes; never what was said.</source>
        <translation>Zeiten, Programme und Routen; nie, was gesagt wurde.</translation>
    </message>
</context>
<context>
    <name>ActivityModel</name>
    <message>
        <source>command line</source>
        <extracomment>The name of our own command line.</extracomment>
        <translation>Befehlszeile</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Client</source>
        <translation>Programm</translation>
    </message>
    <message>
        <source>Request</source>
        <translation>Anfrage</translation>
    </message>
    <message>
        <source>Agent</source>
        <translation>Agent</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>Status</translation>
    </message>
    <message>
        <source>ms</source>
        <translation>ms</translation>
    </message>
</context>
<context>
    <name>ActivityTab</name>
    <message>
        <source>What</source>
        <translation>Was</translation>
    </message>
    <message>
        <source>Everything</source>
        <translation>Alles</translation>
    </message>
    <message>
        <source>Facts</source>
        <translation>Fakten</translation>
    </message>
    <message>
        <source>Episodes</source>
        <translation>Episoden</translation>
    </message>
    <message>
        <source>Identity</source>
        <translation>Identität</translation>
    </message>
    <message>
        <source>People &amp; things</source>
        <translation>Personen &amp; Dinge</translation>
    </message>
    <message>
        <source>Conversations</source>
        <translation>Gespräche</translation>
    </message>
    <message>
        <source>Changes</source>
        <translation>Änderungen</translation>
    </message>
    <message>
        <source>What is learned, changed or forgotten is noted here.</source>
        <translation>Was gelernt, geändert oder vergessen wird, steht hier.</translation>
    </message>
    <message>
        <source>No changes yet</source>
        <translation>Noch keine Änderungen</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Zeigen</translation>
    </message>
    <message>
        <source>Undo…</source>
        <translation>Zurücknehmen …</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Taking changes back… {share}</source>
        <translation>Änderungen werden zurückgenommen … {share}</translation>
    </message>
</context>
<context>
    <name>AgentCard</name>
    <message numerus="yes">
        <source>%n facts</source>
        <translation>
            <numerusform>%Ln Fakt</numerusform>
            <numerusform>%Ln Fakten</numerusform>
        </translation>
    </message>
    <message>
        <source>No description</source>
        <translation>Keine Beschreibung</translation>
    </message>
</context>
<context>
    <name>AgentForm</name>
    <message>
        <source>On</source>
        <translation>An</translation>
    </message>
    <message>
        <source>Read-only</source>
        <translation>Nur lesen</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>Aus</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Gedächtnis</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Color</source>
        <translation>Farbe</translation>
    </message>
    <message>
        <source>Share what is learned about you</source>
        <translation>Teilen, was über dich gelernt wird</translation>
    </message>
    <message>
        <source>Other agents see what this one learns about you, and it sees what they learn.</source>
        <translation>Andere Agenten sehen, was dieser über dich lernt, und er sieht, was sie lernen.</translation>
    </message>
    <message>
        <source>Description</source>
        <translation>Beschreibung</translation>
    </message>
</context>
<context>
    <name>AgentsPage</name>
    <message>
        <source>New agent</source>
        <extracomment>Below this width (px at 100 %) a drop-down replaces the list and the name. Name and summary of the agent shown; in narrow windows the drop-down has them.</extracomment>
        <translation>Neuer Agent</translation>
    </message>
    <message>
        <source>Agents</source>
        <translation>Agenten</translation>
    </message>
    <message>
        <source>Each has its own memory. What they learn about you is shared unless you switch that off.</source>
        <translation>Jeder hat sein eigenes Gedächtnis. Was sie über dich lernen, teilen sie, außer du schaltest das ab.</translation>
    </message>
    <message>
        <source>Import…</source>
        <translation>Importieren …</translation>
    </message>
    <message>
        <source>Agent</source>
        <translation>Agent</translation>
    </message>
    <message>
        <source>Empty</source>
        <translation>Leer</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>Any OpenAI client can talk to this agent, memory included. It needs a token.</source>
        <translation>Jeder OpenAI-Client kann mit diesem Agenten sprechen, Gedächtnis inbegriffen. Er braucht ein Token.</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Tokens</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>Verwerfen</translation>
    </message>
    <message>
        <source>Discard the changes?</source>
        <translation>Änderungen verwerfen?</translation>
    </message>
    <message>
        <source>What you changed about {name} was not saved.</source>
        <translation>Was du an {name} geändert hast, ist nicht gespeichert.</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Mehr</translation>
    </message>
    <message>
        <source>Chat</source>
        <translation>Chat</translation>
    </message>
    <message>
        <source>Use it from a program</source>
        <translation>Aus einem Programm benutzen</translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation>Duplizieren</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>Exportieren …</translation>
    </message>
    <message>
        <source>Delete…</source>
        <translation>Löschen …</translation>
    </message>
    <message>
        <source>This agent</source>
        <translation>Dieser Agent</translation>
    </message>
    <message>
        <source>built in</source>
        <translation>eingebaut</translation>
    </message>
    <message>
        <source>id {id}</source>
        <translation>ID {id}</translation>
    </message>
    <message>
        <source>Saved</source>
        <translation>Gespeichert</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Programs call it by an id made from this name.</source>
        <translation>Aus diesem Namen entsteht die ID, unter der Programme ihn aufrufen.</translation>
    </message>
    <message>
        <source>Create</source>
        <translation>Anlegen</translation>
    </message>
    <message>
        <source>Export agent</source>
        <translation>Agent exportieren</translation>
    </message>
    <message>
        <source>Import agent</source>
        <translation>Agent importieren</translation>
    </message>
    <message>
        <source>Exported agents (*.json)</source>
        <translation>Exportierte Agenten (*.json)</translation>
    </message>
</context>
<context>
    <name>Answers</name>
    <message>
        <source>Answers are still being written</source>
        <extracomment>Maximum concurrent answers; each holds a thread of the lane, and one must be left for everything else. Files of this many characters are searched off the main thread. The answer in progress in the open conversation. The last failed message of the open conversation: stored only as a draft.</extracomment>
        <translation>Noch laufen Antworten</translation>
    </message>
    <message>
        <source>Send this when one of them is finished.</source>
        <translation>Schick das ab, wenn eine der Antworten fertig ist.</translation>
    </message>
</context>
<context>
    <name>AssistantMessage</name>
    <message>
        <source>{agent} said</source>
        <extracomment>Whether it was interrupted and is not stored.</extracomment>
        <translation>{agent} sagte</translation>
    </message>
    <message>
        <source>Answer again</source>
        <extracomment>The model&apos;s thinking, while this message is shown. Calls of other programs&apos; tools, by id.</extracomment>
        <translation>Noch einmal antworten</translation>
    </message>
    <message>
        <source>Go on from here in a new chat</source>
        <translation>Von hier in einem neuen Chat weitermachen</translation>
    </message>
    <message>
        <source>Used {tools}</source>
        <translation>Benutzt: {tools}</translation>
    </message>
    <message>
        <source>no memory used</source>
        <translation>keine Erinnerung benutzt</translation>
    </message>
    <message>
        <source>memory off</source>
        <translation>Gedächtnis aus</translation>
    </message>
    <message>
        <source>Why this reply: {what}</source>
        <translation>Warum diese Antwort: {what}</translation>
    </message>
</context>
<context>
    <name>AttachedFiles</name>
    <message>
        <source>Pasted text</source>
        <extracomment>the order of those added since others were shown.</extracomment>
        <translation>Eingefügter Text</translation>
    </message>
    <message>
        <source>Attach files</source>
        <translation>Dateien anhängen</translation>
    </message>
    <message>
        <source>Documents and pictures</source>
        <translation>Dokumente und Bilder</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
</context>
<context>
    <name>BulkBar</name>
    <message>
        <source>Selection, or last action</source>
        <translation>Auswahl oder letzte Aktion</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>Bearbeiten</translation>
    </message>
    <message>
        <source>Pin</source>
        <translation>Anheften</translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>Lösen</translation>
    </message>
    <message>
        <source>Disable</source>
        <translation>Ausschalten</translation>
    </message>
    <message>
        <source>Enable</source>
        <translation>Einschalten</translation>
    </message>
    <message>
        <source>Forget</source>
        <translation>Vergessen</translation>
    </message>
    <message>
        <source>Changing facts… {share}</source>
        <translation>Fakten werden geändert … {share}</translation>
    </message>
    <message numerus="yes">
        <source>%n facts chosen</source>
        <translation>
            <numerusform>%Ln Fakt gewählt</numerusform>
            <numerusform>%Ln Fakten gewählt</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>BulkDialog</name>
    <message numerus="yes">
        <source>Edit %n facts</source>
        <translation>
            <numerusform>%Ln Fakt bearbeiten</numerusform>
            <numerusform>%Ln Fakten bearbeiten</numerusform>
        </translation>
    </message>
    <message>
        <source>Leave as it is</source>
        <translation>So lassen</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>Set the salience</source>
        <translation>Gewicht setzen</translation>
    </message>
    <message>
        <source>Salience</source>
        <translation>Gewicht</translation>
    </message>
    <message>
        <source>Add tags</source>
        <translation>Schlagwörter hinzufügen</translation>
    </message>
    <message>
        <source>Separated by commas.</source>
        <translation>Durch Kommas getrennt.</translation>
    </message>
    <message>
        <source>Remove tags</source>
        <translation>Schlagwörter entfernen</translation>
    </message>
    <message numerus="yes">
        <source>Change %n facts</source>
        <translation>
            <numerusform>%Ln Fakt ändern</numerusform>
            <numerusform>%Ln Fakten ändern</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ChangesModel</name>
    <message>
        <source>What</source>
        <extracomment>Numbers of the changes that are shown. The first change after each group of those made together; empty if nothing can be checked. The default state and its exceptions: a hundred thousand are checked and unchecked at once.</extracomment>
        <translation>Was</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>Änderung</translation>
    </message>
    <message>
        <source>From</source>
        <translation>Von</translation>
    </message>
    <message>
        <source>To</source>
        <translation>Auf</translation>
    </message>
    <message>
        <source>Forgotten since</source>
        <translation>Seither vergessen</translation>
    </message>
    <message numerus="yes">
        <source>%n sources</source>
        <translation>
            <numerusform>%Ln Quelle</numerusform>
            <numerusform>%Ln Quellen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>faded for %n days</source>
        <translation>
            <numerusform>seit einem Tag verblasst</numerusform>
            <numerusform>seit %Ln Tagen verblasst</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ChatFrame</name>
    <message>
        <source>Temporary chat</source>
        <extracomment>Widths in px at 100 %. With less space than this beside the list, only the list or the messages are shown. Width of a scroll bar, as in ``base.qss``. State shared by the parts. In narrow windows, whether the list is shown instead of the messages.</extracomment>
        <translation>Flüchtiger Chat</translation>
    </message>
    <message>
        <source>Nothing of it is stored, and it sees no memory. It is gone when you leave it.</source>
        <translation>Nichts davon wird gespeichert, und er sieht kein Gedächtnis. Er ist fort, wenn du ihn verlässt.</translation>
    </message>
    <message>
        <source>Replies use your memory. Nothing you say in this chat is remembered.</source>
        <translation>Antworten nutzen dein Gedächtnis. Von dem, was du hier sagst, wird nichts gemerkt.</translation>
    </message>
    <message>
        <source>Memory is off here: replies see none of it, and nothing you say is remembered.</source>
        <translation>Das Gedächtnis ist hier aus: Antworten sehen nichts davon, und nichts, was du sagst, wird gemerkt.</translation>
    </message>
    <message>
        <source>What is on your mind?</source>
        <translation>Was beschäftigt dich?</translation>
    </message>
    <message>
        <source>Turn memory on</source>
        <translation>Gedächtnis einschalten</translation>
    </message>
    <message>
        <source>Memory is off: nothing is remembered and nothing is used.</source>
        <translation>Das Gedächtnis ist aus: nichts wird gemerkt und nichts benutzt.</translation>
    </message>
    <message>
        <source>Message {agent}</source>
        <translation>Nachricht an {agent}</translation>
    </message>
    <message>
        <source>Under each reply you see which memories it used. What you say is remembered once the chat rests.</source>
        <translation>Unter jeder Antwort siehst du, welche Erinnerungen sie benutzt hat. Was du sagst, wird gemerkt, sobald der Chat ruht.</translation>
    </message>
</context>
<context>
    <name>ChatHead</name>
    <message>
        <source>Conversations</source>
        <extracomment>Characters shown of a system prompt. Characters shown of a folder&apos;s name. Whether list and messages do not fit side by side.</extracomment>
        <translation>Gespräche</translation>
    </message>
    <message>
        <source>Settings of this chat</source>
        <translation>Einstellungen dieses Chats</translation>
    </message>
    <message>
        <source>Use the agent&apos;s settings again</source>
        <translation>Wieder die Einstellungen des Agenten verwenden</translation>
    </message>
    <message>
        <source>Compare two models</source>
        <translation>Zwei Modelle vergleichen</translation>
    </message>
    <message>
        <source>temperature system prompt model</source>
        <translation>Temperatur Systemprompt Modell</translation>
    </message>
    <message>
        <source>side by side second model</source>
        <translation>nebeneinander zweites Modell</translation>
    </message>
    <message>
        <source>with {model}</source>
        <translation>mit {model}</translation>
    </message>
    <message>
        <source>Folder: {name}</source>
        <translation>Ordner: {name}</translation>
    </message>
    <message numerus="yes">
        <source>%n own settings</source>
        <translation>
            <numerusform>%Ln eigene Einstellung</numerusform>
            <numerusform>%Ln eigene Einstellungen</numerusform>
        </translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>Temperatur</translation>
    </message>
    <message>
        <source>Top p</source>
        <translation>Top p</translation>
    </message>
    <message>
        <source>Longest reply</source>
        <translation>Längste Antwort</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Startwert</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>The app&apos;s chat model</source>
        <translation>Das Chat-Modell der App</translation>
    </message>
    <message>
        <source>System prompt</source>
        <translation>Systemprompt</translation>
    </message>
    <message>
        <source>none</source>
        <translation>nichts</translation>
    </message>
    <message>
        <source>search_memory tool</source>
        <translation>Werkzeug search_memory</translation>
    </message>
    <message>
        <source>on</source>
        <translation>an</translation>
    </message>
    <message>
        <source>off</source>
        <translation>aus</translation>
    </message>
    <message>
        <source>model&apos;s own</source>
        <translation>wie das Modell</translation>
    </message>
</context>
<context>
    <name>ChatPage</name>
    <message>
        <source>Nothing can be read aloud</source>
        <translation>Es kann nichts vorgelesen werden</translation>
    </message>
    <message>
        <source>This conversation</source>
        <translation>Dieses Gespräch</translation>
    </message>
    <message>
        <source>A new chat begins</source>
        <translation>Ein neuer Chat beginnt</translation>
    </message>
    <message>
        <source>Every agent has its own memory and its own conversations.</source>
        <translation>Jeder Agent hat sein eigenes Gedächtnis und eigene Gespräche.</translation>
    </message>
</context>
<context>
    <name>Choices</name>
    <message>
        <source>Agent</source>
        <extracomment>Spacing between the choices, in px at 100 %. Minimum width of elided pickers, in px at 100 %. Models that take no pictures.</extracomment>
        <translation>Agent</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Temporary: nothing is stored</source>
        <translation>Flüchtig: nichts wird gespeichert</translation>
    </message>
    <message>
        <source>On: replies use memory, and this chat is learned from</source>
        <translation>An: Antworten nutzen das Gedächtnis, und aus diesem Chat wird gelernt</translation>
    </message>
    <message>
        <source>Read-only: replies use memory, nothing is learned</source>
        <translation>Nur lesen: Antworten nutzen das Gedächtnis, nichts wird gelernt</translation>
    </message>
    <message>
        <source>Off: replies use no memory, and nothing is learned</source>
        <translation>Aus: Antworten nutzen kein Gedächtnis, und nichts wird gelernt</translation>
    </message>
    <message>
        <source>no model</source>
        <translation>kein Modell</translation>
    </message>
    <message>
        <source>{name} (not here)</source>
        <translation>{name} (nicht hier)</translation>
    </message>
    <message>
        <source>Memory on</source>
        <translation>Gedächtnis an</translation>
    </message>
    <message>
        <source>Memory read-only</source>
        <translation>Gedächtnis nur lesen</translation>
    </message>
    <message>
        <source>Memory off</source>
        <translation>Gedächtnis aus</translation>
    </message>
    <message>
        <source>Temporary</source>
        <translation>Flüchtig</translation>
    </message>
</context>
<context>
    <name>CodeBlock</name>
    <message>
        <source>Copy code</source>
        <extracomment>Characters that Qt takes for line ends although no line of code ends there. The pending blocks, and the next one. The height of each block shown, in px.</extracomment>
        <translation>Code kopieren</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>Code</translation>
    </message>
    <message>
        <source>text</source>
        <translation>Text</translation>
    </message>
</context>
<context>
    <name>CodeStep</name>
    <message>
        <source>Recovery code</source>
        <extracomment>Groups of a code, and how many of them the user retypes. Error codes after which a passphrase replaces the keyring.</extracomment>
        <translation>Wiederherstellungscode</translation>
    </message>
    <message>
        <source>Keep this code</source>
        <translation>Bewahre diesen Code auf</translation>
    </message>
    <message>
        <source>Your memory is encrypted on this computer. The key is in its keyring; if that is ever lost, this code is the only way back. Nobody else has it, and it is not shown again.</source>
        <translation>Dein Gedächtnis ist auf diesem Rechner verschlüsselt. Der Schlüssel liegt in seinem Schlüsselbund; geht der je verloren, führt nur dieser Code zurück. Niemand sonst hat ihn, und er wird nicht wieder gezeigt.</translation>
    </message>
    <message>
        <source>Confirm later</source>
        <translation>Später bestätigen</translation>
    </message>
    <message>
        <source>Creating your key…</source>
        <translation>Dein Schlüssel wird erzeugt …</translation>
    </message>
    <message>
        <source>Not every group matches. Compare them with the code you kept.</source>
        <translation>Nicht jede Gruppe stimmt. Vergleiche sie mit deinem Code.</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Noch einmal versuchen</translation>
    </message>
    <message>
        <source>Look for a keyring again</source>
        <translation>Schlüsselbund erneut suchen</translation>
    </message>
    <message>
        <source>Choose a passphrase</source>
        <translation>Wähle eine Passphrase</translation>
    </message>
    <message>
        <source>Your memory is encrypted on this computer. A passphrase opens it, and a code that you see next.</source>
        <translation>Dein Gedächtnis ist auf diesem Rechner verschlüsselt. Eine Passphrase öffnet es und ein Code, den du gleich siehst.</translation>
    </message>
    <message>
        <source>Create the memory</source>
        <translation>Gedächtnis anlegen</translation>
    </message>
    <message>
        <source>The two do not match.</source>
        <translation>Die beiden stimmen nicht überein.</translation>
    </message>
    <message>
        <source>This computer has no keyring that answers, so a passphrase protects the key. You are asked for it at each start.</source>
        <translation>Auf diesem Rechner antwortet kein Schlüsselbund, deshalb schützt eine Passphrase den Schlüssel. Du wirst bei jedem Start danach gefragt.</translation>
    </message>
    <message>
        <source>Passphrase, 8 characters or more</source>
        <translation>Passphrase, mindestens 8 Zeichen</translation>
    </message>
    <message>
        <source>Repeat the passphrase</source>
        <translation>Passphrase wiederholen</translation>
    </message>
    <message>
        <source>You have confirmed the code. It is not shown again.</source>
        <translation>Du hast den Code bestätigt. Er wird nicht noch einmal angezeigt.</translation>
    </message>
    <message>
        <source>Make a new code instead</source>
        <translation>Stattdessen einen neuen Code erzeugen</translation>
    </message>
    <message>
        <source>Your memory is encrypted on this computer. If you forget the passphrase, this code is the only way back. Nobody else has it, and it is not shown again.</source>
        <translation>Dein Gedächtnis ist auf diesem Rechner verschlüsselt. Vergisst du die Passphrase, führt nur dieser Code zurück. Niemand sonst hat ihn, und er wird nicht wieder gezeigt.</translation>
    </message>
    <message>
        <source>Save as file…</source>
        <translation>Als Datei speichern …</translation>
    </message>
    <message>
        <source>Print…</source>
        <translation>Drucken …</translation>
    </message>
    <message>
        <source>Confirm that you have it: type these groups.</source>
        <translation>Bestätige, dass du ihn hast: Tippe diese Gruppen ein.</translation>
    </message>
    <message>
        <source>Group {n}</source>
        <translation>Gruppe {n}</translation>
    </message>
    <message>
        <source>memdesk recovery code

{code}

This code opens your memory when nothing else does. Whoever has it and your files can read everything. Keep it away from this computer.</source>
        <translation>Wiederherstellungscode von memdesk

{code}

Dieser Code öffnet dein Gedächtnis, wenn nichts anderes es mehr öffnet. Wer ihn und deine Dateien hat, kann alles lesen. Bewahre ihn fern von diesem Rechner auf.</translation>
    </message>
    <message>
        <source>Recovery code: {code}</source>
        <translation>Wiederherstellungscode: {code}</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Save the recovery code</source>
        <translation>Wiederherstellungscode speichern</translation>
    </message>
</context>
<context>
    <name>ColumnMessage</name>
    <message>
        <source>Stop {model}</source>
        <extracomment>Minimum width of a column, in px at 100 %; below it the columns are stacked.</extracomment>
        <translation>{model} anhalten</translation>
    </message>
    <message>
        <source>Keep this one</source>
        <translation>Diese behalten</translation>
    </message>
    <message>
        <source>Keep the answer of {model}</source>
        <translation>Die Antwort von {model} behalten</translation>
    </message>
</context>
<context>
    <name>ComparedMessage</name>
    <message>
        <source>Two answers</source>
        <translation>Zwei Antworten</translation>
    </message>
</context>
<context>
    <name>Composer</name>
    <message>
        <source>Message</source>
        <extracomment>Pause after which the draft is stored, in ms; a killed process loses no more. The chosen model&apos;s name if it cannot see pictures.</extracomment>
        <translation>Nachricht</translation>
    </message>
    <message>
        <source>Prompts (/)</source>
        <translation>Prompts (/)</translation>
    </message>
    <message>
        <source>Attach files</source>
        <translation>Dateien anhängen</translation>
    </message>
    <message>
        <source>{model} cannot see pictures. Choose a model that can, or take them out to send the rest.</source>
        <translation>{model} nimmt keine Bilder an. Wähle ein Modell, das es tut, oder nimm sie heraus, um den Rest zu senden.</translation>
    </message>
    <message>
        <source>Insert “{name}”</source>
        <translation>„{name}“ einfügen</translation>
    </message>
    <message>
        <source>prompt</source>
        <translation>Prompt Vorlage</translation>
    </message>
    <message>
        <source>Edit prompts…</source>
        <translation>Prompts bearbeiten …</translation>
    </message>
    <message>
        <source>Stop (Esc)</source>
        <translation>Anhalten (Esc)</translation>
    </message>
    <message>
        <source>Send (Enter)</source>
        <translation>Senden (Eingabe)</translation>
    </message>
</context>
<context>
    <name>ConfirmDialog</name>
    <message>
        <source>Nothing else is touched.</source>
        <extracomment>The choice of scope, by key, if any: above the counts, which may be long and depend on it.</extracomment>
        <translation>Sonst ändert sich nichts.</translation>
    </message>
</context>
<context>
    <name>ConnectCard</name>
    <message>
        <source>For agent</source>
        <extracomment>Routes listed in a row; the dialog lists all.</extracomment>
        <translation>Für Agent</translation>
    </message>
    <message>
        <source>The local server is off: programs reach the memory while it runs.</source>
        <translation>Der lokale Server ist aus: Programme erreichen das Gedächtnis, solange er läuft.</translation>
    </message>
    <message>
        <source>Turn the server on</source>
        <translation>Server einschalten</translation>
    </message>
    <message>
        <source>Connect a program</source>
        <translation>Ein Programm verbinden</translation>
    </message>
    <message>
        <source>It gets a token of its own and sees one agent&apos;s memory. Only its own settings file is changed.</source>
        <translation>Es bekommt ein eigenes Token und sieht das Gedächtnis eines Agenten. Nur seine eigene Einstellungsdatei wird geändert.</translation>
    </message>
    <message>
        <source>Any other program: MCP at {mcp}, OpenAI&apos;s API at {openai}, Anthropic&apos;s at {url}, each with a token from Settings, Server.</source>
        <translation>Jedes andere Programm: MCP unter {mcp}, die Schnittstelle von OpenAI unter {openai}, die von Anthropic unter {url}, jeweils mit einem Token aus Einstellungen, Server.</translation>
    </message>
    <message>
        <source>connected</source>
        <translation>verbunden</translation>
    </message>
    <message>
        <source>not connected</source>
        <translation>nicht verbunden</translation>
    </message>
    <message>
        <source>not found here</source>
        <translation>hier nicht gefunden</translation>
    </message>
    <message>
        <source>Entered on its own pages for connections and tools.</source>
        <translation>Wird auf seinen eigenen Seiten für Verbindungen und Werkzeuge eingetragen.</translation>
    </message>
    <message>
        <source>By hand…</source>
        <translation>Von Hand …</translation>
    </message>
    <message>
        <source>Disconnect</source>
        <translation>Trennen</translation>
    </message>
    <message>
        <source>Connect</source>
        <translation>Verbinden</translation>
    </message>
    <message>
        <source>{program} is connected</source>
        <translation>{program} ist verbunden</translation>
    </message>
    <message>
        <source>Restart it to see memdesk&apos;s tools.</source>
        <translation>Nach einem Neustart des Programms sind die Werkzeuge von memdesk da.</translation>
    </message>
</context>
<context>
    <name>ConsolidationPage</name>
    <message>
        <source>Run consolidation now</source>
        <extracomment>Runs and bin entries shown at first, and added at a time.</extracomment>
        <translation>Jetzt konsolidieren</translation>
    </message>
    <message>
        <source>Preview first</source>
        <translation>Erst Vorschau</translation>
    </message>
    <message>
        <source>Consolidation</source>
        <translation>Konsolidierung</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Next run</source>
        <translation>Nächster Lauf</translation>
    </message>
    <message>
        <source>Past runs</source>
        <translation>Frühere Läufe</translation>
    </message>
    <message>
        <source>What runs took out of use; it is gone for good after 30 days.</source>
        <translation>Was Läufe aussortiert haben; nach 30 Tagen ist es endgültig fort.</translation>
    </message>
    <message>
        <source>Bin</source>
        <translation>Papierkorb</translation>
    </message>
    <message>
        <source>A pass is running…</source>
        <translation>Ein Lauf ist im Gang …</translation>
    </message>
    <message>
        <source>Changes</source>
        <translation>Änderungen</translation>
    </message>
    <message>
        <source>Was due {when}</source>
        <translation>War fällig: {when}</translation>
    </message>
    <message>
        <source>Empty.</source>
        <translation>Leer.</translation>
    </message>
    <message>
        <source>Waiting: {why}</source>
        <translation>Wartet: {why}</translation>
    </message>
    <message>
        <source>It begins within a few minutes.</source>
        <translation>Er beginnt in ein paar Minuten.</translation>
    </message>
    <message>
        <source>interrupted</source>
        <translation>unterbrochen</translation>
    </message>
    <message>
        <source>The next run goes on with it.</source>
        <translation>Der nächste Lauf setzt ihn fort.</translation>
    </message>
    <message>
        <source>Lets unused memories fade, merges duplicates, strengthens what keeps coming up. Every run can be undone.</source>
        <translation>Lässt Unbenutztes verblassen, führt Doppeltes zusammen und stärkt, was immer wiederkehrt. Jeder Lauf lässt sich rückgängig machen.</translation>
    </message>
    <message>
        <source>Empty the bin</source>
        <translation>Papierkorb leeren</translation>
    </message>
    <message>
        <source>None yet. To see what the first one would do, choose “Preview first”.</source>
        <translation>Noch keine. Was der erste ändern würde, zeigt „Erst Vorschau“.</translation>
    </message>
    <message numerus="yes">
        <source>Every %n hours, when no chat is being answered and the computer is not on battery.</source>
        <translation>
            <numerusform>Jede Stunde, wenn kein Chat beantwortet wird und der Rechner nicht mit Akku läuft.</numerusform>
            <numerusform>Alle %Ln Stunden, wenn kein Chat beantwortet wird und der Rechner nicht mit Akku läuft.</numerusform>
        </translation>
    </message>
    <message>
        <source>Changes of</source>
        <translation>Änderungen an</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>until {day}</source>
        <translation>bis {day}</translation>
    </message>
    <message>
        <source>Bring back</source>
        <translation>Zurückholen</translation>
    </message>
    <message>
        <source>automatic</source>
        <translation>automatisch</translation>
    </message>
    <message>
        <source>automatic, late</source>
        <translation>automatisch, verspätet</translation>
    </message>
    <message>
        <source>started by you</source>
        <translation>von dir gestartet</translation>
    </message>
    <message>
        <source>started by a program</source>
        <translation>von einem Programm gestartet</translation>
    </message>
    <message>
        <source>Nothing had to change.</source>
        <translation>Es gab nichts zu ändern.</translation>
    </message>
    <message>
        <source>Looking at the memory…</source>
        <translation>Sieht das Gedächtnis durch …</translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation>Wird angehalten …</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>Angehalten</translation>
    </message>
    <message>
        <source>Show changes</source>
        <translation>Änderungen zeigen</translation>
    </message>
    <message>
        <source>Empty the bin?</source>
        <translation>Papierkorb leeren?</translation>
    </message>
    <message>
        <source>Its contents are deleted, and undoing a run no longer restores them. Earlier copies still contain them.</source>
        <translation>Der Inhalt wird gelöscht, und das Zurücknehmen eines Laufs bringt ihn nicht mehr zurück. Frühere Kopien enthalten ihn noch.</translation>
    </message>
</context>
<context>
    <name>ContextDialog</name>
    <message>
        <source>Tokens that the model sees at once. A longer chat loses its oldest messages.</source>
        <translation>Tokens, die das Modell auf einmal sieht. Ein längerer Chat verliert seine ältesten Nachrichten.</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Tokens</translation>
    </message>
    <message>
        <source>Reset to the known value</source>
        <translation>Auf den bekannten Wert zurücksetzen</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
</context>
<context>
    <name>ContextMeter</name>
    <message>
        <source>Context</source>
        <extracomment>How long the meter&apos;s text stays, in ms. A description of what did not fit; empty if all did.</extracomment>
        <translation>Kontext</translation>
    </message>
    <message numerus="yes">
        <source>The %n oldest messages no longer fit and were left out.</source>
        <translation>
            <numerusform>Die älteste Nachricht passt nicht mehr und wurde weggelassen.</numerusform>
            <numerusform>Die %Ln ältesten Nachrichten passen nicht mehr und wurden weggelassen.</numerusform>
        </translation>
    </message>
    <message>
        <source>There was no room for memory.</source>
        <translation>Für das Gedächtnis war kein Platz.</translation>
    </message>
    <message>
        <source>{used} of {size} tokens of the model&apos;s context are in use.</source>
        <translation>{used} von {size} Token des Kontexts sind belegt.</translation>
    </message>
    <message numerus="yes">
        <source>About %n of them are being written.</source>
        <translation>
            <numerusform>Etwa eines davon wird gerade geschrieben.</numerusform>
            <numerusform>Etwa %Ln davon werden gerade geschrieben.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ConversationList</name>
    <message>
        <source>Search conversations</source>
        <extracomment>Pinned conversations fetched in addition to the newest ones. Chats whose first answer is in progress; they are stored with it. A press on a row&apos;s dots opens its menu, not the conversation.</extracomment>
        <translation>Gespräche durchsuchen</translation>
    </message>
    <message>
        <source>Show conversations of</source>
        <translation>Gespräche zeigen von</translation>
    </message>
    <message>
        <source>All agents</source>
        <translation>Alle Agenten</translation>
    </message>
    <message>
        <source>Show archived conversations</source>
        <translation>Archivierte Gespräche zeigen</translation>
    </message>
    <message>
        <source>Conversations</source>
        <translation>Gespräche</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>Neuer Chat</translation>
    </message>
    <message>
        <source>New temporary chat</source>
        <translation>Neuer flüchtiger Chat</translation>
    </message>
    <message>
        <source>New folder</source>
        <translation>Neuer Ordner</translation>
    </message>
    <message>
        <source>No conversations yet</source>
        <translation>Noch keine Gespräche</translation>
    </message>
    <message>
        <source>What you say to an agent is kept here.</source>
        <translation>Was du einem Agenten sagst, steht hier.</translation>
    </message>
    <message>
        <source>Nothing found</source>
        <translation>Nichts gefunden</translation>
    </message>
    <message>
        <source>Titles and every message were searched.</source>
        <translation>Titel und alle Nachrichten wurden durchsucht.</translation>
    </message>
    <message>
        <source>Nothing archived</source>
        <translation>Nichts archiviert</translation>
    </message>
    <message>
        <source>Move to folder</source>
        <translation>In Ordner verschieben</translation>
    </message>
    <message>
        <source>Rename…</source>
        <translation>Umbenennen …</translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>Lösen</translation>
    </message>
    <message>
        <source>Pin</source>
        <translation>Anheften</translation>
    </message>
    <message>
        <source>Unarchive</source>
        <translation>Aus dem Archiv holen</translation>
    </message>
    <message>
        <source>Archive</source>
        <translation>Archivieren</translation>
    </message>
    <message>
        <source>Export as Markdown…</source>
        <translation>Als Markdown exportieren …</translation>
    </message>
    <message>
        <source>Export as JSON…</source>
        <translation>Als JSON exportieren …</translation>
    </message>
    <message>
        <source>Delete…</source>
        <translation>Löschen …</translation>
    </message>
    <message>
        <source>Rename conversation</source>
        <translation>Gespräch umbenennen</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>Titel</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>Umbenennen</translation>
    </message>
    <message>
        <source>Export conversation</source>
        <translation>Gespräch exportieren</translation>
    </message>
</context>
<context>
    <name>CrashDialog</name>
    <message>
        <source>An error stopped it. Your memory is safe: nothing stored was lost.</source>
        <translation>Ein Fehler hat es beendet. Dein Gedächtnis ist sicher: Nichts Gespeichertes ging verloren.</translation>
    </message>
    <message>
        <source>An action stopped unexpectedly. Your memory is safe: nothing stored was lost. You can continue; if memdesk behaves oddly, quit and start it again.</source>
        <translation>Eine Aktion brach unerwartet ab. Dein Gedächtnis ist sicher: Nichts Gespeichertes ging verloren. Du kannst weitermachen; verhält sich memdesk seltsam, beende es und starte es neu.</translation>
    </message>
    <message>
        <source>This report helps us fix it. It contains nothing you wrote.</source>
        <translation>Dieser Bericht hilft, es zu beheben. Er enthält nichts, was du geschrieben hast.</translation>
    </message>
    <message>
        <source>Report</source>
        <translation>Bericht</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>Weitermachen</translation>
    </message>
    <message>
        <source>Copy report</source>
        <translation>Bericht kopieren</translation>
    </message>
</context>
<context>
    <name>DayEdit</name>
    <message>
        <source>e.g. {day}</source>
        <translation>z. B. {day}</translation>
    </message>
    <message>
        <source>“{text}” is not a day.</source>
        <translation>„{text}“ ist kein Tag.</translation>
    </message>
</context>
<context>
    <name>DiagnosticsPage</name>
    <message>
        <source>Copy report</source>
        <extracomment>Refresh interval while the page is shown, in ms. Conversations of a queue listed by name; an import may leave thousands. Lines of the log shown. the memory&apos;s contents, or the error in reading them of pending conversations, by ``(agent id, conversation id)``</extracomment>
        <translation>Bericht kopieren</translation>
    </message>
    <message>
        <source>Diagnostics</source>
        <translation>Diagnose</translation>
    </message>
    <message>
        <source>How memdesk is doing, and what to do if something is wrong.</source>
        <translation>Wie es memdesk geht, und was hilft, wo es hakt.</translation>
    </message>
    <message>
        <source>Engines</source>
        <translation>Engines</translation>
    </message>
    <message>
        <source>Processes that run models.</source>
        <translation>Prozesse, in denen Modelle laufen.</translation>
    </message>
    <message>
        <source>Sizes and speeds</source>
        <translation>Größen und Geschwindigkeiten</translation>
    </message>
    <message>
        <source>Measured here.</source>
        <translation>Hier gemessen.</translation>
    </message>
    <message>
        <source>Backfill</source>
        <translation>Nachholen</translation>
    </message>
    <message>
        <source>Learn from older chats</source>
        <translation>Aus älteren Chats lernen</translation>
    </message>
    <message>
        <source>Distill now</source>
        <translation>Jetzt destillieren</translation>
    </message>
    <message>
        <source>Waiting to be distilled</source>
        <translation>Wartet auf Destillation</translation>
    </message>
    <message>
        <source>Messages are stored at once and distilled when their conversation rests.</source>
        <translation>Nachrichten werden sofort gespeichert und destilliert, wenn ihr Gespräch ruht.</translation>
    </message>
    <message numerus="yes">
        <source>Open and encrypted; %n messages.</source>
        <translation>
            <numerusform>Offen und verschlüsselt; %Ln Nachricht.</numerusform>
            <numerusform>Offen und verschlüsselt; %Ln Nachrichten.</numerusform>
        </translation>
    </message>
    <message>
        <source>Next run: {when}.</source>
        <translation>Nächster Lauf: {when}.</translation>
    </message>
    <message>
        <source>Retry</source>
        <translation>Wiederholen</translation>
    </message>
    <message>
        <source>Retry {conversation}</source>
        <translation>{conversation} wiederholen</translation>
    </message>
    <message>
        <source>parked</source>
        <translation>zurückgestellt</translation>
    </message>
    <message>
        <source>No reason was noted.</source>
        <translation>Kein Grund vermerkt.</translation>
    </message>
    <message numerus="yes">
        <source>%n messages</source>
        <translation>
            <numerusform>%Ln Nachricht</numerusform>
            <numerusform>%Ln Nachrichten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more conversations</source>
        <translation>
            <numerusform>%Ln weiteres Gespräch</numerusform>
            <numerusform>%Ln weitere Gespräche</numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing waits.</source>
        <translation>Nichts wartet.</translation>
    </message>
    <message>
        <source>None is running. They start on first use.</source>
        <translation>Keine läuft. Sie starten bei Bedarf.</translation>
    </message>
    <message>
        <source>{n} tokens/s</source>
        <translation>{n} Token/s</translation>
    </message>
    <message numerus="yes">
        <source>%n restarts</source>
        <translation>
            <numerusform>%Ln Neustart</numerusform>
            <numerusform>%Ln Neustarts</numerusform>
        </translation>
    </message>
    <message>
        <source>Stopping after the conversation that is being distilled…</source>
        <translation>Es endet nach dem Gespräch, das gerade destilliert wird …</translation>
    </message>
    <message>
        <source>Cancel backfill</source>
        <translation>Nachholen abbrechen</translation>
    </message>
    <message>
        <source>Looking for conversations that were never distilled…</source>
        <translation>Sucht nach Gesprächen, die nie destilliert wurden …</translation>
    </message>
</context>
<context>
    <name>DiagramBlock</name>
    <message>
        <source>Diagram</source>
        <extracomment>Theme tokens for the parts of a diagram.</extracomment>
        <translation>Diagramm</translation>
    </message>
    <message>
        <source>Show the source</source>
        <translation>Quelltext zeigen</translation>
    </message>
    <message>
        <source>View, copy or save the picture</source>
        <translation>Bild ansehen, kopieren oder speichern</translation>
    </message>
    <message>
        <source>Copy the source</source>
        <translation>Quelltext kopieren</translation>
    </message>
    <message>
        <source>Diagram (Mermaid)</source>
        <translation>Diagramm (Mermaid)</translation>
    </message>
    <message>
        <source>Not in the picture: {signs}</source>
        <translation>Nicht im Bild: {signs}</translation>
    </message>
    <message>
        <source>No picture: {reason}</source>
        <translation>Kein Bild: {reason}</translation>
    </message>
    <message>
        <source>Show the picture</source>
        <translation>Bild zeigen</translation>
    </message>
</context>
<context>
    <name>Dialog</name>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
</context>
<context>
    <name>Dictation</name>
    <message>
        <source>Transcribing…</source>
        <extracomment>A recording stops after this long, in ms, which is also the most that is kept of one.</extracomment>
        <translation>Es wird aufgeschrieben …</translation>
    </message>
    <message>
        <source>Listening. Press the square to transcribe it, Esc to discard it.</source>
        <translation>Hört zu. Das Quadrat schreibt es auf, Esc verwirft es.</translation>
    </message>
    <message>
        <source>What you say leaves this machine: it goes to {server}.</source>
        <translation>Was du sagst, verlässt diesen Rechner: Es geht an {server}.</translation>
    </message>
    <message>
        <source>Nothing was heard.</source>
        <translation>Es war nichts zu hören.</translation>
    </message>
    <message>
        <source>Transcribe</source>
        <translation>Transkribieren</translation>
    </message>
    <message>
        <source>Dictate a message</source>
        <translation>Nachricht diktieren</translation>
    </message>
</context>
<context>
    <name>DiffPane</name>
    <message>
        <source>Changes</source>
        <extracomment>Changes of a run per portion, and changes scanned per portion. Width in px at 100 % below which the tools are below the title, and minimum height of the table. Whether it shows a preview.</extracomment>
        <translation>Änderungen</translation>
    </message>
    <message>
        <source>The memory is as it should be.</source>
        <translation>Das Gedächtnis ist, wie es sein soll.</translation>
    </message>
    <message>
        <source>Nothing would change</source>
        <translation>Nichts würde sich ändern</translation>
    </message>
    <message>
        <source>Kind of change</source>
        <translation>Art der Änderung</translation>
    </message>
    <message>
        <source>Check none</source>
        <translation>Keine ankreuzen</translation>
    </message>
    <message>
        <source>Undo this run</source>
        <translation>Diesen Lauf rückgängig machen</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>This would change</source>
        <translation>Das würde sich ändern</translation>
    </message>
    <message>
        <source>This changed on {when}</source>
        <translation>Das änderte sich am {when}</translation>
    </message>
    <message>
        <source>All changes</source>
        <translation>Alle Änderungen</translation>
    </message>
    <message numerus="yes">
        <source>Make %n changes</source>
        <translation>
            <numerusform>%Ln Änderung machen</numerusform>
            <numerusform>%Ln Änderungen machen</numerusform>
        </translation>
    </message>
    <message>
        <source>Check all</source>
        <translation>Alle ankreuzen</translation>
    </message>
</context>
<context>
    <name>DownloadDialog</name>
    <message>
        <source>Show files</source>
        <translation>Dateien zeigen</translation>
    </message>
    <message>
        <source>Download</source>
        <translation>Herunterladen</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>for example: qwen3 4b, or owner/name</source>
        <translation>zum Beispiel: qwen3 4b, oder Besitzer/Name</translation>
    </message>
    <message>
        <source>Words, or the name of a repository. Only this search and the download go to the hub.</source>
        <translation>Wörter oder der Name eines Repositorys. Nur diese Suche und der Download gehen an den Hub.</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Asking the hub…</source>
        <translation>Fragt den Hub …</translation>
    </message>
    <message>
        <source>Nothing with GGUF files matches.</source>
        <translation>Nichts mit GGUF-Dateien passt dazu.</translation>
    </message>
    <message>
        <source>It holds no GGUF files.</source>
        <translation>Es enthält keine GGUF-Dateien.</translation>
    </message>
</context>
<context>
    <name>DownloadRow</name>
    <message>
        <source>Download of {name}</source>
        <extracomment>Refresh interval of running downloads while visible, in ms. Refreshes until a new download must have appeared.</extracomment>
        <translation>Herunterladen von {name}</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>Verwerfen</translation>
    </message>
    <message>
        <source>Asking the hub…</source>
        <translation>Fragt den Hub …</translation>
    </message>
    <message>
        <source>Checking {all}…</source>
        <translation>Prüft {all} …</translation>
    </message>
    <message>
        <source>{done} of {all}</source>
        <translation>{done} von {all}</translation>
    </message>
    <message>
        <source>Interrupted</source>
        <translation>Unterbrochen</translation>
    </message>
</context>
<context>
    <name>DownloadsBox</name>
    <message>
        <source>Downloads</source>
        <translation>Downloads</translation>
    </message>
</context>
<context>
    <name>DrillDialog</name>
    <message>
        <source>Recovery code</source>
        <translation>Wiederherstellungscode</translation>
    </message>
    <message>
        <source>Spaces and dashes do not matter.</source>
        <translation>Leerzeichen und Striche sind egal.</translation>
    </message>
    <message>
        <source>Try</source>
        <translation>Prüfen</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>It works: this code opens your memory.</source>
        <translation>Er passt: dieser Code öffnet dein Gedächtnis.</translation>
    </message>
    <message>
        <source>It does not match. Check for typos; if you lost it, make a new code now.</source>
        <translation>Er passt nicht. Prüfe auf Tippfehler; hast du ihn verloren, erzeuge jetzt einen neuen Code.</translation>
    </message>
</context>
<context>
    <name>EntitiesModel</name>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message numerus="yes">
        <source>%n mentions</source>
        <translation>
            <numerusform>%Ln Erwähnung</numerusform>
            <numerusform>%Ln Erwähnungen</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>EntitiesTab</name>
    <message>
        <source>Search people and things</source>
        <translation>Personen und Dinge durchsuchen</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>Typ</translation>
    </message>
    <message>
        <source>Any type</source>
        <translation>Jeder Typ</translation>
    </message>
    <message>
        <source>People and things</source>
        <translation>Personen und Dinge</translation>
    </message>
    <message>
        <source>Names appear when conversations are distilled.</source>
        <translation>Namen erscheinen, wenn Gespräche destilliert werden.</translation>
    </message>
    <message>
        <source>Nobody and nothing yet</source>
        <translation>Noch niemand und nichts</translation>
    </message>
    <message>
        <source>{gone} is now {name}</source>
        <translation>{gone} ist jetzt {name}</translation>
    </message>
</context>
<context>
    <name>EntityDialog</name>
    <message>
        <source>Edit {name}</source>
        <translation>{name} bearbeiten</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>Typ</translation>
    </message>
    <message>
        <source>Separated by commas. What is learned under one of these names belongs here.</source>
        <translation>Durch Kommas getrennt. Was unter einem dieser Namen gelernt wird, gehört hierher.</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Also called</source>
        <translation>Auch genannt</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
</context>
<context>
    <name>EntityGraph</name>
    <message>
        <source>{name} is connected to: {words}</source>
        <extracomment>Neighbors drawn; the list below the graph has them all.</extracomment>
        <translation>{name} ist verbunden mit: {words}</translation>
    </message>
    <message>
        <source>{label} {name}, {n} of {all}. Enter goes there, Backspace goes back.</source>
        <translation>{label} {name}, {n} von {all}. Die Eingabetaste führt hin, die Rücktaste zurück.</translation>
    </message>
    <message numerus="yes">
        <source>%n more below</source>
        <translation>
            <numerusform>%Ln weitere unten</numerusform>
            <numerusform>%Ln weitere unten</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>EntityPane</name>
    <message>
        <source>Facts</source>
        <extracomment>Rows per list; a link leads to all. Length of the back history.</extracomment>
        <translation>Fakten</translation>
    </message>
    <message>
        <source>Episodes</source>
        <translation>Episoden</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Also called {names}</source>
        <translation>Auch genannt: {names}</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>Bearbeiten</translation>
    </message>
    <message>
        <source>Join with…</source>
        <translation>Zusammenführen …</translation>
    </message>
    <message>
        <source>Forget</source>
        <translation>Vergessen</translation>
    </message>
    <message>
        <source>Relations</source>
        <translation>Beziehungen</translation>
    </message>
    <message>
        <source>Show fact</source>
        <translation>Fakt zeigen</translation>
    </message>
    <message>
        <source>Show fact: {text}</source>
        <translation>Fakt zeigen: {text}</translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>und %Ln weitere</numerusform>
            <numerusform>und %Ln weitere</numerusform>
        </translation>
    </message>
    <message>
        <source>None.</source>
        <translation>Keine.</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Zeigen</translation>
    </message>
    <message numerus="yes">
        <source>Look for all %n</source>
        <translation>
            <numerusform>Nach dem einen suchen</numerusform>
            <numerusform>Nach allen %Ln suchen</numerusform>
        </translation>
    </message>
    <message>
        <source>Forget everything about {name}?</source>
        <translation>Alles über {name} vergessen?</translation>
    </message>
    <message>
        <source>Facts and details that name it go with it. Messages stay in their conversations.</source>
        <translation>Fakten und Einzelheiten, die es nennen, gehen mit. Nachrichten bleiben in ihren Gesprächen.</translation>
    </message>
</context>
<context>
    <name>EpisodesModel</name>
    <message>
        <source>Episode</source>
        <translation>Episode</translation>
    </message>
    <message>
        <source>Day</source>
        <translation>Tag</translation>
    </message>
</context>
<context>
    <name>EpisodesTab</name>
    <message>
        <source>Search episodes</source>
        <translation>Episoden durchsuchen</translation>
    </message>
    <message>
        <source>State</source>
        <extracomment>Its details that are not in a fact.</extracomment>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Active</source>
        <translation>Aktiv</translation>
    </message>
    <message>
        <source>Disabled</source>
        <translation>Ausgeschaltet</translation>
    </message>
    <message>
        <source>When</source>
        <translation>Wann</translation>
    </message>
    <message>
        <source>Episodes</source>
        <translation>Episoden</translation>
    </message>
    <message>
        <source>When a conversation rests, its digest appears here.</source>
        <translation>Wenn ein Gespräch ruht, erscheint hier seine Zusammenfassung.</translation>
    </message>
    <message>
        <source>No episodes</source>
        <translation>Keine Episoden</translation>
    </message>
    <message>
        <source>Open conversation</source>
        <translation>Gespräch öffnen</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>Bearbeiten</translation>
    </message>
    <message>
        <source>Disable</source>
        <translation>Ausschalten</translation>
    </message>
    <message>
        <source>Enable</source>
        <translation>Einschalten</translation>
    </message>
    <message>
        <source>Forget</source>
        <translation>Vergessen</translation>
    </message>
    <message>
        <source>Decisions</source>
        <translation>Entscheidungen</translation>
    </message>
    <message>
        <source>To do</source>
        <translation>Zu tun</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>Einzelheiten</translation>
    </message>
    <message>
        <source>Distilled by {model}</source>
        <translation>Destilliert von {model}</translation>
    </message>
    <message numerus="yes">
        <source>used %n times</source>
        <translation>
            <numerusform>%Ln-mal benutzt</numerusform>
            <numerusform>%Ln-mal benutzt</numerusform>
        </translation>
    </message>
    <message>
        <source>not used yet</source>
        <translation>noch nicht benutzt</translation>
    </message>
    <message>
        <source>Keep: {text}</source>
        <translation>Behalten: {text}</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>Behalten</translation>
    </message>
    <message>
        <source>Edit summary</source>
        <translation>Zusammenfassung bearbeiten</translation>
    </message>
    <message>
        <source>Forget this episode?</source>
        <translation>Diese Episode vergessen?</translation>
    </message>
</context>
<context>
    <name>FactDialog</name>
    <message>
        <source>Fact</source>
        <translation>Fakt</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>Typ</translation>
    </message>
    <message>
        <source>As it reads</source>
        <translation>Wie es dasteht</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keiner</translation>
    </message>
    <message>
        <source>Salience</source>
        <translation>Gewicht</translation>
    </message>
    <message>
        <source>True from</source>
        <translation>Gilt ab</translation>
    </message>
    <message>
        <source>True until</source>
        <translation>Gilt bis</translation>
    </message>
    <message>
        <source>Expires on</source>
        <translation>Läuft ab am</translation>
    </message>
    <message>
        <source>Agent</source>
        <translation>Agent</translation>
    </message>
    <message>
        <source>separated by commas</source>
        <translation>durch Kommas getrennt</translation>
    </message>
    <message>
        <source>One statement that stands on its own: “Ana is allergic to walnuts.”</source>
        <translation>Eine Aussage, die für sich steht: „Ana ist gegen Walnüsse allergisch.“</translation>
    </message>
    <message>
        <source>Tags</source>
        <translation>Schlagwörter</translation>
    </message>
    <message>
        <source>No model gets it after that.</source>
        <translation>Von da an bekommt ihn kein Modell mehr.</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>Schlüssel</translation>
    </message>
    <message>
        <source>The key by which programs change it.</source>
        <translation>Unter ihm ändern Programme den Fakt.</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
</context>
<context>
    <name>FactFilters</name>
    <message>
        <source>Clear filters</source>
        <extracomment>Minimum and upper bound of the salience, by key. The sort order for a click on each column header.</extracomment>
        <translation>Filter aufheben</translation>
    </message>
    <message>
        <source>Any kind</source>
        <translation>Jede Art</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>Any type</source>
        <translation>Jeder Typ</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>Typ</translation>
    </message>
    <message>
        <source>Tag</source>
        <translation>Schlagwort</translation>
    </message>
    <message>
        <source>Any tag</source>
        <translation>Jedes Schlagwort</translation>
    </message>
    <message>
        <source>Salience from {value}</source>
        <translation>Gewicht ab {value}</translation>
    </message>
    <message>
        <source>Salience below {value}</source>
        <translation>Gewicht unter {value}</translation>
    </message>
    <message>
        <source>Any salience</source>
        <translation>Jedes Gewicht</translation>
    </message>
    <message>
        <source>Salience</source>
        <translation>Gewicht</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Active</source>
        <translation>Aktiv</translation>
    </message>
    <message>
        <source>Disabled</source>
        <translation>Ausgeschaltet</translation>
    </message>
    <message>
        <source>No longer true</source>
        <translation>Nicht mehr wahr</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Alle</translation>
    </message>
    <message>
        <source>Learned</source>
        <translation>Gelernt</translation>
    </message>
    <message>
        <source>Between days…</source>
        <translation>Zwischen Tagen …</translation>
    </message>
    <message>
        <source>About</source>
        <translation>Über</translation>
    </message>
    <message>
        <source>About anyone and anything</source>
        <translation>Über wen und was auch immer</translation>
    </message>
    <message>
        <source>From day</source>
        <translation>Von Tag</translation>
    </message>
    <message>
        <source>To day</source>
        <translation>Bis Tag</translation>
    </message>
    <message>
        <source>to</source>
        <translation>bis</translation>
    </message>
    <message>
        <source>Sort</source>
        <translation>Sortierung</translation>
    </message>
    <message>
        <source>Last changed</source>
        <translation>Zuletzt geändert</translation>
    </message>
    <message>
        <source>Newest</source>
        <translation>Neueste</translation>
    </message>
    <message>
        <source>Most salient</source>
        <translation>Größtes Gewicht</translation>
    </message>
    <message>
        <source>Last used</source>
        <translation>Zuletzt benutzt</translation>
    </message>
    <message>
        <source>A to Z</source>
        <translation>A bis Z</translation>
    </message>
    <message>
        <source>About {name}</source>
        <translation>Über {name}</translation>
    </message>
</context>
<context>
    <name>FactPanel</name>
    <message>
        <source>Choose a fact</source>
        <extracomment>Length of the back history.</extracomment>
        <translation>Wähle einen Fakt</translation>
    </message>
    <message>
        <source>This fact is gone</source>
        <translation>Diesen Fakt gibt es nicht mehr</translation>
    </message>
    <message>
        <source>It was forgotten meanwhile.</source>
        <translation>Er wurde inzwischen vergessen.</translation>
    </message>
    <message>
        <source>Added {made}, changed {changed}</source>
        <translation>Hinzugefügt am {made}, geändert am {changed}</translation>
    </message>
    <message>
        <source>Back to the fact before</source>
        <translation>Zurück zum vorigen Fakt</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Fact changed</source>
        <translation>Fakt geändert</translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>Lösen</translation>
    </message>
    <message>
        <source>Pin</source>
        <translation>Anheften</translation>
    </message>
    <message>
        <source>Disable</source>
        <translation>Ausschalten</translation>
    </message>
    <message>
        <source>Enable</source>
        <translation>Einschalten</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>Bearbeiten</translation>
    </message>
    <message>
        <source>Added {made}</source>
        <translation>Hinzugefügt am {made}</translation>
    </message>
    <message>
        <source>Forget</source>
        <translation>Vergessen</translation>
    </message>
    <message>
        <source>Edit fact</source>
        <translation>Fakt bearbeiten</translation>
    </message>
    <message>
        <source>Fact pinned</source>
        <translation>Fakt angeheftet</translation>
    </message>
    <message>
        <source>Fact unpinned</source>
        <translation>Fakt abgelöst</translation>
    </message>
    <message>
        <source>Fact enabled</source>
        <translation>Fakt eingeschaltet</translation>
    </message>
    <message>
        <source>Fact disabled</source>
        <translation>Fakt ausgeschaltet</translation>
    </message>
    <message>
        <source>Forget this fact?</source>
        <translation>Diesen Fakt vergessen?</translation>
    </message>
</context>
<context>
    <name>FactsModel</name>
    <message>
        <source>Fact</source>
        <translation>Fakt</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>Salience</source>
        <translation>Gewicht</translation>
    </message>
    <message>
        <source>Changed</source>
        <translation>Geändert</translation>
    </message>
    <message>
        <source>pinned</source>
        <translation>angeheftet</translation>
    </message>
    <message numerus="yes">
        <source>%n sources</source>
        <translation>
            <numerusform>%Ln Quelle</numerusform>
            <numerusform>%Ln Quellen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>used %n times</source>
        <translation>
            <numerusform>%Ln-mal benutzt</numerusform>
            <numerusform>%Ln-mal benutzt</numerusform>
        </translation>
    </message>
    <message>
        <source>until {day}</source>
        <translation>bis {day}</translation>
    </message>
</context>
<context>
    <name>FactsTab</name>
    <message>
        <source>Search facts</source>
        <extracomment>Width in px at 100 % below which the panel replaces the list. The memory changed while rows were selected: reload the list once they are deselected. The running bulk change.</extracomment>
        <translation>Fakten durchsuchen</translation>
    </message>
    <message>
        <source>Facts</source>
        <translation>Fakten</translation>
    </message>
    <message>
        <source>Nothing matches</source>
        <translation>Nichts passt</translation>
    </message>
    <message>
        <source>Try a simpler search, or clear the filters.</source>
        <translation>Versuche eine einfachere Suche, oder hebe die Filter auf.</translation>
    </message>
    <message>
        <source>Export what is listed</source>
        <translation>Angezeigtes exportieren</translation>
    </message>
    <message>
        <source>Import facts</source>
        <translation>Fakten importieren</translation>
    </message>
    <message>
        <source>Show all facts</source>
        <translation>Alle Fakten zeigen</translation>
    </message>
    <message>
        <source>Learn now</source>
        <translation>Jetzt lernen</translation>
    </message>
    <message>
        <source>Add a fact</source>
        <translation>Fakt hinzufügen</translation>
    </message>
    <message numerus="yes">
        <source>%n facts</source>
        <translation>
            <numerusform>%Ln Fakt</numerusform>
            <numerusform>%Ln Fakten</numerusform>
        </translation>
    </message>
    <message>
        <source>Facts are learned from your chats, or written by you.</source>
        <translation>Fakten werden aus deinen Chats gelernt oder von dir geschrieben.</translation>
    </message>
    <message>
        <source>No facts yet</source>
        <translation>Noch keine Fakten</translation>
    </message>
    <message>
        <source>What you said in your chats is about to be learned: a minute after a chat rests.</source>
        <translation>Was du in deinen Chats gesagt hast, wird gleich gelernt: eine Minute, nachdem ein Chat ruht.</translation>
    </message>
    <message>
        <source>This fact</source>
        <translation>Dieser Fakt</translation>
    </message>
    <message>
        <source>Adding…</source>
        <translation>Wird hinzugefügt …</translation>
    </message>
    <message>
        <source>Exported facts (*.jsonl *.zip)</source>
        <translation>Exportierte Fakten (*.jsonl *.zip)</translation>
    </message>
    <message numerus="yes">
        <source>%n facts changed</source>
        <translation>
            <numerusform>%Ln Fakt geändert</numerusform>
            <numerusform>%Ln Fakten geändert</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Forget %n facts?</source>
        <translation>
            <numerusform>%Ln Fakt vergessen?</numerusform>
            <numerusform>%Ln Fakten vergessen?</numerusform>
        </translation>
    </message>
    <message>
        <source>They are gone for good: from lists, searches, history and receipts.</source>
        <translation>Sie sind endgültig fort: aus Listen, Suche, Verlauf und Belegen.</translation>
    </message>
</context>
<context>
    <name>FieldEditor</name>
    <message>
        <source>Reset to default</source>
        <extracomment>Width of choices and texts on a page of options, in px at 100 %; numbers are half as wide. Width below which a line&apos;s controls are below its text, in px at 100 %. The control an option gets; ``rows`` are lists and mappings, whose editor the page provides. Whether it can be reset to its default. returns what is wrong with a text, empty if nothing; called while typing</extracomment>
        <translation>Auf Vorgabe zurücksetzen</translation>
    </message>
    <message>
        <source>after restart</source>
        <translation>nach Neustart</translation>
    </message>
</context>
<context>
    <name>FileChip</name>
    <message>
        <source>Put into the message as text</source>
        <extracomment>Longer texts cannot go into the message itself: layout would block the window at every key. Side of thumbnails, in px at 100 %. The user wants the file&apos;s content in the message itself.</extracomment>
        <translation>Als Text in die Nachricht übernehmen</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
</context>
<context>
    <name>FileRead</name>
    <message>
        <source>The model was given all of it.</source>
        <translation>Das Modell bekam alles davon.</translation>
    </message>
    <message>
        <source>Too long to be read at once: the model was given {n} of {all} passages, those closest to the message.</source>
        <translation>Zu lang, um auf einmal gelesen zu werden: Das Modell bekam {n} von {all} Abschnitten, die der Nachricht am nächsten sind.</translation>
    </message>
    <message>
        <source>What was read</source>
        <translation>Was gelesen wurde</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
</context>
<context>
    <name>FillDialog</name>
    <message>
        <source>Insert</source>
        <translation>Einfügen</translation>
    </message>
</context>
<context>
    <name>FirstStart</name>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>I have a backup</source>
        <translation>Ich habe eine Sicherung</translation>
    </message>
    <message>
        <source>Skip</source>
        <translation>Überspringen</translation>
    </message>
    <message>
        <source>Skip and start</source>
        <translation>Überspringen und beginnen</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>Beginnen</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>Weiter</translation>
    </message>
    <message>
        <source>First start, step {n} of {m}: {title}</source>
        <translation>Erster Start, Schritt {n} von {m}: {title}</translation>
    </message>
</context>
<context>
    <name>FolderDialog</name>
    <message>
        <source>Edit folder</source>
        <translation>Ordner bearbeiten</translation>
    </message>
    <message>
        <source>New folder</source>
        <translation>Neuer Ordner</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Instructions</source>
        <translation>Anweisungen</translation>
    </message>
    <message>
        <source>The model reads them in every chat of this folder, after the agent&apos;s own system prompt.</source>
        <translation>Das Modell liest sie in jedem Chat dieses Ordners, nach dem Systemprompt des Agenten.</translation>
    </message>
    <message>
        <source>Shared: its chats use what their agents know, and add to it</source>
        <translation>Gemeinsam: Seine Chats nutzen, was ihre Agenten wissen, und tragen dazu bei</translation>
    </message>
    <message>
        <source>Only this folder: what is learned here is recalled only here</source>
        <translation>Nur dieser Ordner: Was hier gelernt wird, wird nur hier erinnert</translation>
    </message>
    <message>
        <source>This cannot be changed later, and chats cannot be moved in or out. What you wrote about yourself under Memory, such as an allergy, is known here too.</source>
        <translation>Das lässt sich später nicht ändern, und Chats können weder hinein noch heraus. Was du unter Gedächtnis über dich geschrieben hast, etwa eine Allergie, ist auch hier bekannt.</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Gedächtnis</translation>
    </message>
    <message>
        <source>What is learned in this folder is recalled only here.</source>
        <translation>Was in diesem Ordner gelernt wird, wird nur hier erinnert.</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>Create</source>
        <translation>Anlegen</translation>
    </message>
</context>
<context>
    <name>Folders</name>
    <message>
        <source>“{title}” is in “{name}” now</source>
        <extracomment>A conversation moved to another agent: ``(before, after)``. The answering agent of a new folder with its own memory. Conversations that moved to another agent, by their new id.</extracomment>
        <translation>„{title}“ ist jetzt in „{name}“</translation>
    </message>
    <message>
        <source>Expand</source>
        <translation>Aufklappen</translation>
    </message>
    <message>
        <source>Collapse</source>
        <translation>Zuklappen</translation>
    </message>
    <message>
        <source>Move up</source>
        <translation>Nach oben</translation>
    </message>
    <message>
        <source>Move down</source>
        <translation>Nach unten</translation>
    </message>
    <message>
        <source>New chat here</source>
        <translation>Neuer Chat hier</translation>
    </message>
    <message>
        <source>Name and instructions…</source>
        <translation>Name und Anweisungen …</translation>
    </message>
    <message>
        <source>Delete folder…</source>
        <translation>Ordner löschen …</translation>
    </message>
    <message>
        <source>Move to “{name}”</source>
        <translation>Nach „{name}“ verschieben</translation>
    </message>
    <message>
        <source>Move to a new folder…</source>
        <translation>In einen neuen Ordner verschieben …</translation>
    </message>
    <message>
        <source>Remove from its folder</source>
        <translation>Aus dem Ordner nehmen</translation>
    </message>
</context>
<context>
    <name>ForgetSelection</name>
    <message>
        <source>Looking for memories that say so…</source>
        <translation>Sucht Erinnerungen, die das sagen …</translation>
    </message>
    <message>
        <source>Forget</source>
        <translation>Vergessen</translation>
    </message>
    <message>
        <source>No fact says this. To lose the message itself, delete the conversation or edit the message.</source>
        <translation>Kein Fakt sagt das. Soll die Nachricht selbst weg, lösche das Gespräch oder bearbeite die Nachricht.</translation>
    </message>
    <message>
        <source>These memories are about it. Tick what should go.</source>
        <translation>Diese Erinnerungen handeln davon. Kreuze an, was gehen soll.</translation>
    </message>
</context>
<context>
    <name>FoundDialog</name>
    <message>
        <source>They are used in place: nothing is copied or changed.</source>
        <translation>Sie werden an Ort und Stelle benutzt: nichts wird kopiert oder geändert.</translation>
    </message>
    <message>
        <source>Looking…</source>
        <translation>Sucht …</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>No models of LM Studio, Jan or Ollama were found.</source>
        <translation>Keine Modelle von LM Studio, Jan oder Ollama gefunden.</translation>
    </message>
    <message>
        <source>added</source>
        <translation>hinzugefügt</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>Hinzufügen</translation>
    </message>
</context>
<context>
    <name>HandDialog</name>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Copy it now: the token in it cannot be shown again.</source>
        <translation>Jetzt kopieren: Das Token darin kann nicht noch einmal gezeigt werden.</translation>
    </message>
    <message>
        <source>Add this to {file}.</source>
        <translation>Dies in {file} einfügen.</translation>
    </message>
    <message>
        <source>Admin settings, Connections, OpenAI API</source>
        <translation>Administration, Verbindungen, OpenAI-API</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>Adresse</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>Schlüssel</translation>
    </message>
    <message>
        <source>Admin settings, External tools</source>
        <translation>Administration, externe Werkzeuge</translation>
    </message>
    <message>
        <source>Address, of type {type}</source>
        <translation>Adresse, vom Typ {type}</translation>
    </message>
    <message>
        <source>Authentication: Bearer, with the same key.</source>
        <translation>Authentifizierung: Bearer, mit demselben Schlüssel.</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
</context>
<context>
    <name>HistoryModel</name>
    <message>
        <source>Change</source>
        <extracomment>The fields with an item&apos;s text. Names of items without a text in the log, by id.</extracomment>
        <translation>Änderung</translation>
    </message>
    <message>
        <source>By</source>
        <translation>Durch</translation>
    </message>
    <message>
        <source>When</source>
        <translation>Wann</translation>
    </message>
    <message>
        <source>{gone} is now {name}</source>
        <translation>{gone} ist jetzt {name}</translation>
    </message>
    <message numerus="yes">
        <source>%n messages</source>
        <translation>
            <numerusform>%Ln Nachricht</numerusform>
            <numerusform>%Ln Nachrichten</numerusform>
        </translation>
    </message>
    <message>
        <source>Salience {value}</source>
        <translation>Gewicht {value}</translation>
    </message>
    <message>
        <source>Forgotten, words and all</source>
        <translation>Vergessen, samt Wortlaut</translation>
    </message>
</context>
<context>
    <name>IdentityTab</name>
    <message>
        <source>Nothing about you yet</source>
        <translation>Noch nichts über dich</translation>
    </message>
    <message>
        <source>A few lines, such as your name and your work, go with every question you ask.</source>
        <translation>Ein paar Zeilen, etwa dein Name und deine Arbeit, gehen mit jeder deiner Fragen mit.</translation>
    </message>
    <message>
        <source>Add a line</source>
        <translation>Zeile hinzufügen</translation>
    </message>
    <message>
        <source>About you, in the third person or the first: “I work nights as a nurse.”</source>
        <translation>Über dich, in der dritten oder ersten Person: „Ich arbeite nachts als Pfleger.“</translation>
    </message>
    <message>
        <source>Add a line about you</source>
        <translation>Zeile über dich hinzufügen</translation>
    </message>
    <message>
        <source>Written by you</source>
        <translation>Von dir geschrieben</translation>
    </message>
    <message>
        <source>None.</source>
        <translation>Keine.</translation>
    </message>
    <message>
        <source>Learned from conversations</source>
        <translation>Aus Gesprächen gelernt</translation>
    </message>
    <message>
        <source>off</source>
        <translation>aus</translation>
    </message>
    <message>
        <source>Do not use</source>
        <translation>Nicht benutzen</translation>
    </message>
    <message>
        <source>Use again</source>
        <translation>Wieder benutzen</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>Bearbeiten</translation>
    </message>
    <message>
        <source>Forget</source>
        <translation>Vergessen</translation>
    </message>
    <message>
        <source>Edit line</source>
        <translation>Zeile bearbeiten</translation>
    </message>
    <message>
        <source>Forget this line?</source>
        <translation>Diese Zeile vergessen?</translation>
    </message>
</context>
<context>
    <name>ImportDialog</name>
    <message>
        <source>What you said to other apps can become memory here. The archive is only read.</source>
        <translation>Was du anderen Apps gesagt hast, kann hier zu Gedächtnis werden. Das Archiv wird nur gelesen.</translation>
    </message>
    <message>
        <source>Agent</source>
        <translation>Agent</translation>
    </message>
    <message>
        <source>Whose memory they become</source>
        <translation>Wessen Gedächtnis sie werden</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
</context>
<context>
    <name>ImportPanel</name>
    <message>
        <source>Drop an export here: ChatGPT, Claude, Gemini or Grok (ZIP), Open WebUI, LM Studio, Jan, LibreChat, AnythingLLM or Osaurus, plain JSON or Markdown.</source>
        <translation>Zieh einen Export hierher: ChatGPT, Claude, Gemini oder Grok (ZIP), Open WebUI, LM Studio, Jan, LibreChat, AnythingLLM oder Osaurus, einfaches JSON oder Markdown.</translation>
    </message>
    <message>
        <source>Choose a file…</source>
        <translation>Datei wählen …</translation>
    </message>
    <message>
        <source>Choose a folder…</source>
        <translation>Ordner wählen …</translation>
    </message>
    <message>
        <source>Found on this computer:</source>
        <translation>Auf diesem Rechner gefunden:</translation>
    </message>
    <message>
        <source>Chats of {program}</source>
        <translation>Chats von {program}</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>Liest …</translation>
    </message>
    <message>
        <source>One file or folder at a time, please: put several files into a folder.</source>
        <translation>Bitte eine Datei oder einen Ordner auf einmal: lege mehrere Dateien in einen Ordner.</translation>
    </message>
    <message>
        <source>Import chats</source>
        <translation>Chats importieren</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>What will happen</source>
        <translation>Was geschehen wird</translation>
    </message>
    <message>
        <source>Working out how long learning takes…</source>
        <translation>Ermittelt, wie lange das Lernen dauert …</translation>
    </message>
    <message>
        <source>Learn from them in the background (can be done later)</source>
        <translation>Im Hintergrund daraus lernen (geht auch später)</translation>
    </message>
    <message>
        <source>Import</source>
        <translation>Importieren</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Importing…</source>
        <translation>Importiert …</translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation>Angehalten.</translation>
    </message>
    <message>
        <source>Importing again goes on from there.</source>
        <translation>Ein neuer Import macht dort weiter.</translation>
    </message>
    <message>
        <source>What they say is learned in the background; the status bar tells how far that is.</source>
        <translation>Was darin steht, wird im Hintergrund gelernt; die Statusleiste zeigt, wie weit das ist.</translation>
    </message>
</context>
<context>
    <name>ImportStep</name>
    <message>
        <source>Import</source>
        <translation>Importieren</translation>
    </message>
    <message>
        <source>Bring your chats</source>
        <translation>Bring deine Chats mit</translation>
    </message>
    <message>
        <source>What you said to other apps can become memory here. Nothing leaves this computer, and the archive is only read.</source>
        <translation>Was du anderen Apps gesagt hast, kann hier zum Gedächtnis werden. Nichts verlässt diesen Rechner, und das Archiv wird nur gelesen.</translation>
    </message>
    <message>
        <source>Start without importing</source>
        <translation>Ohne Import beginnen</translation>
    </message>
</context>
<context>
    <name>KeptModel</name>
    <message>
        <source>Kept</source>
        <extracomment>Height of an entry&apos;s text, in px at 100 %.</extracomment>
        <translation>Aufbewahrt</translation>
    </message>
    <message>
        <source>Changed</source>
        <translation>Geändert</translation>
    </message>
</context>
<context>
    <name>KeptTab</name>
    <message>
        <source>Search files, links and passages</source>
        <translation>Dateien, Links und Textstellen durchsuchen</translation>
    </message>
    <message>
        <source>What</source>
        <extracomment>Deleted entries that can be restored, by number.</extracomment>
        <translation>Was</translation>
    </message>
    <message>
        <source>Everything</source>
        <translation>Alles</translation>
    </message>
    <message>
        <source>Files of agents</source>
        <translation>Dateien von Agenten</translation>
    </message>
    <message>
        <source>Web links</source>
        <translation>Weblinks</translation>
    </message>
    <message>
        <source>Passages of notes</source>
        <translation>Textstellen aus Notizen</translation>
    </message>
    <message>
        <source>Files and links</source>
        <translation>Dateien und Links</translation>
    </message>
    <message>
        <source>Files that agents write for themselves, links that programs keep, and passages of your notes appear here.</source>
        <translation>Hier erscheinen Dateien, die Agenten für sich schreiben, Links, die Programme aufbewahren, und Textstellen aus deinen Notizen.</translation>
    </message>
    <message>
        <source>No files and no links</source>
        <translation>Keine Dateien und keine Links</translation>
    </message>
    <message>
        <source>A file that {agent} wrote</source>
        <translation>Eine Datei, die {agent} geschrieben hat</translation>
    </message>
    <message>
        <source>A link that {agent} keeps</source>
        <translation>Ein Link, den {agent} aufbewahrt</translation>
    </message>
    <message>
        <source>From your notes, for {agent}</source>
        <translation>Aus deinen Notizen, für {agent}</translation>
    </message>
    <message>
        <source>by way of {program}</source>
        <translation>über {program}</translation>
    </message>
    <message>
        <source>Words</source>
        <translation>Wortlaut</translation>
    </message>
    <message>
        <source>It goes when its file does, or when the folder is removed under Settings, Memory.</source>
        <translation>Sie verschwindet mit ihrer Datei, oder wenn der Ordner unter Einstellungen, Gedächtnis entfernt wird.</translation>
    </message>
    <message>
        <source>Open file</source>
        <translation>Datei öffnen</translation>
    </message>
    <message>
        <source>Open page</source>
        <translation>Seite öffnen</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>{name} is deleted</source>
        <translation>{name} ist gelöscht</translation>
    </message>
</context>
<context>
    <name>LargePicture</name>
    <message>
        <source>Picture: {name}</source>
        <translation>Bild: {name}</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>Speichern unter…</translation>
    </message>
    <message>
        <source>Save the picture</source>
        <translation>Bild speichern</translation>
    </message>
</context>
<context>
    <name>LearnedChip</name>
    <message numerus="yes">
        <source>Learned %n facts</source>
        <extracomment>Interval between notices of secrets.</extracomment>
        <translation>
            <numerusform>%Ln Fakt gelernt</numerusform>
            <numerusform>%Ln Fakten gelernt</numerusform>
        </translation>
    </message>
    <message>
        <source>Summed up, no new facts</source>
        <translation>Zusammengefasst, keine neuen Fakten</translation>
    </message>
    <message>
        <source>No new facts</source>
        <translation>Keine neuen Fakten</translation>
    </message>
    <message numerus="yes">
        <source>%n wait for review</source>
        <translation>
            <numerusform>%Ln wartet auf Prüfung</numerusform>
            <numerusform>%Ln warten auf Prüfung</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n secrets left out</source>
        <translation>
            <numerusform>%Ln Geheimnis ausgelassen</numerusform>
            <numerusform>%Ln Geheimnisse ausgelassen</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>LearnedPanel</name>
    <message>
        <source>What was learned</source>
        <translation>Was gelernt wurde</translation>
    </message>
    <message>
        <source>Summary</source>
        <translation>Zusammenfassung</translation>
    </message>
    <message numerus="yes">
        <source>Kept: %n</source>
        <translation>
            <numerusform>Behalten: %Ln</numerusform>
            <numerusform>Behalten: %Ln</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Waits for review: %n</source>
        <translation>
            <numerusform>Wartet auf Prüfung: %Ln</numerusform>
            <numerusform>Wartet auf Prüfung: %Ln</numerusform>
        </translation>
    </message>
    <message>
        <source>Also noticed</source>
        <translation>Außerdem bemerkt</translation>
    </message>
    <message>
        <source>Kept with this conversation. Keep one to have it as a fact that does not fade with it.</source>
        <translation>Mit diesem Gespräch gemerkt. Behalte etwas davon, und es wird ein Fakt, der nicht mit ihm verblasst.</translation>
    </message>
    <message>
        <source>Secrets, left out</source>
        <translation>Geheimnisse, ausgelassen</translation>
    </message>
    <message>
        <source>Memory holds no keys, card numbers or passwords, unless you keep one on purpose.</source>
        <translation>Schlüssel, Kartennummern und Passwörter werden nicht gemerkt, es sei denn, du behältst eines mit Absicht.</translation>
    </message>
    <message>
        <source>Nothing in these sentences lasts. Keep one to have it as a fact all the same.</source>
        <translation>Nichts in diesen Sätzen ist von Dauer. Behalte einen, um ihn trotzdem als Fakt zu haben.</translation>
    </message>
    <message numerus="yes">
        <source>Passed over: %n</source>
        <translation>
            <numerusform>Übergangen: %Ln</numerusform>
            <numerusform>Übergangen: %Ln</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n statements were left out, as the messages do not say them.</source>
        <translation>
            <numerusform>%Ln Aussage wurde weggelassen, weil sie nicht in den Nachrichten steht.</numerusform>
            <numerusform>%Ln Aussagen wurden weggelassen, weil sie nicht in den Nachrichten stehen.</numerusform>
        </translation>
    </message>
    <message>
        <source>Undo: forget all of this</source>
        <translation>Rückgängig: alles davon vergessen</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>Behalten</translation>
    </message>
    <message>
        <source>Forget</source>
        <translation>Vergessen</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Keep: {text}</source>
        <translation>Behalten: {text}</translation>
    </message>
    <message>
        <source>Undo: {text}</source>
        <translation>Rückgängig: {text}</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
</context>
<context>
    <name>LibraryDialog</name>
    <message>
        <source>Prompts</source>
        <translation>Prompts</translation>
    </message>
    <message>
        <source>Prompts that you use again. Write / in an empty message to insert one.</source>
        <translation>Prompts zum Wiederverwenden. Ein / in einer leeren Nachricht fügt einen ein.</translation>
    </message>
    <message>
        <source>New prompt</source>
        <translation>Neuer Prompt</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>No prompts yet</source>
        <translation>Noch keine Prompts</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>Bearbeiten</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Delete this prompt?</source>
        <translation>Diesen Prompt löschen?</translation>
    </message>
    <message>
        <source>“{title}” cannot be brought back.</source>
        <translation>„{title}“ kann nicht zurückgeholt werden.</translation>
    </message>
</context>
<context>
    <name>LineDialog</name>
    <message>
        <source>Text</source>
        <translation>Text</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
</context>
<context>
    <name>ListTab</name>
    <message>
        <source>Clear filters</source>
        <translation>Filter aufheben</translation>
    </message>
    <message>
        <source>Try a simpler search, or clear the filters.</source>
        <translation>Versuche eine einfachere Suche, oder hebe die Filter auf.</translation>
    </message>
    <message>
        <source>Nothing matches</source>
        <translation>Nichts passt</translation>
    </message>
</context>
<context>
    <name>LockPage</name>
    <message>
        <source>memdesk is locked</source>
        <extracomment>The remaining way to unlock, by the keyring&apos;s error code. Interval of the idle check, in ms.</extracomment>
        <translation>memdesk ist gesperrt</translation>
    </message>
    <message>
        <source>This computer</source>
        <translation>Dieser Rechner</translation>
    </message>
    <message>
        <source>Passphrase</source>
        <translation>Passphrase</translation>
    </message>
    <message>
        <source>Recovery code</source>
        <translation>Wiederherstellungscode</translation>
    </message>
    <message>
        <source>How to unlock</source>
        <translation>Wie entsperren</translation>
    </message>
    <message>
        <source>Unlock</source>
        <translation>Entsperren</translation>
    </message>
    <message>
        <source>Restore a backup</source>
        <translation>Sicherung wiederherstellen</translation>
    </message>
    <message>
        <source>Unlocking…</source>
        <translation>Entsperrt …</translation>
    </message>
    <message>
        <source>The key is in this computer&apos;s keyring.</source>
        <translation>Der Schlüssel liegt im Schlüsselbund dieses Rechners.</translation>
    </message>
    <message>
        <source>Enter the passphrase you chose.</source>
        <translation>Gib deine Passphrase ein.</translation>
    </message>
    <message>
        <source>Enter the recovery code you kept at the first start.</source>
        <translation>Gib den Wiederherstellungscode vom ersten Start ein.</translation>
    </message>
</context>
<context>
    <name>LogCard</name>
    <message>
        <source>Log</source>
        <translation>Protokoll</translation>
    </message>
    <message>
        <source>Nothing was logged yet.</source>
        <translation>Noch nichts protokolliert.</translation>
    </message>
    <message>
        <source>What memdesk logged about its work. Secrets are blacked out; it never contains what was said.</source>
        <translation>Was memdesk über seine Arbeit notiert hat. Geheimnisse sind geschwärzt; was gesagt wurde, steht nie darin.</translation>
    </message>
    <message>
        <source>Copy log</source>
        <translation>Protokoll kopieren</translation>
    </message>
    <message>
        <source>The log is on the clipboard</source>
        <translation>Das Protokoll ist in der Zwischenablage</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>File</source>
        <extracomment>Below this width (px at 100 %) the sidebar folds automatically. Commands that macOS shows in the application&apos;s own menu.</extracomment>
        <translation>Datei</translation>
    </message>
    <message>
        <source>Chat</source>
        <translation>Chat</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Gedächtnis</translation>
    </message>
    <message>
        <source>View</source>
        <translation>Ansicht</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>Hilfe</translation>
    </message>
</context>
<context>
    <name>MemoryPage</name>
    <message>
        <source>Agent</source>
        <extracomment>Minimum height of a tab, in px at 100 %. Page heights from which the figures, and the header above one entry, are shown, in px at 100 %. The tab implied by an argument of ``navigate``.</extracomment>
        <translation>Agent</translation>
    </message>
    <message>
        <source>All agents</source>
        <translation>Alle Agenten</translation>
    </message>
    <message>
        <source>Consolidate</source>
        <translation>Konsolidieren</translation>
    </message>
    <message>
        <source>Add a fact</source>
        <translation>Fakt hinzufügen</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Gedächtnis</translation>
    </message>
    <message>
        <source>What is remembered, where it came from, and what it is worth.</source>
        <translation>Was gemerkt ist, woher es kam und was es wert ist.</translation>
    </message>
    <message>
        <source>Part of the memory</source>
        <translation>Teil des Gedächtnisses</translation>
    </message>
</context>
<context>
    <name>MemoryTestsTab</name>
    <message>
        <source>Run all</source>
        <translation>Alle prüfen</translation>
    </message>
    <message>
        <source>Add a test</source>
        <translation>Test hinzufügen</translation>
    </message>
    <message>
        <source>A question with the line that must be found for it, asked again after a change of model, an import and a consolidation. In a chat, the receipt of a reply makes one with a click.</source>
        <translation>Eine Frage mit der Zeile, die dafür gefunden werden muss. Sie wird nach einem Modellwechsel, einem Import und einer Konsolidierung wieder gestellt. Im Chat macht der Beleg einer Antwort mit einem Klick einen Test daraus.</translation>
    </message>
    <message>
        <source>No memory tests yet</source>
        <translation>Noch keine Gedächtnistests</translation>
    </message>
    <message numerus="yes">
        <source>%n are not found.</source>
        <translation>
            <numerusform>%Ln wird nicht gefunden.</numerusform>
            <numerusform>%Ln werden nicht gefunden.</numerusform>
        </translation>
    </message>
    <message>
        <source>All of them are found.</source>
        <translation>Alle werden gefunden.</translation>
    </message>
    <message>
        <source>Preview</source>
        <translation>Vorschau</translation>
    </message>
    <message>
        <source>Preview: {text}</source>
        <translation>Vorschau: {text}</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Remove: {text}</source>
        <translation>Entfernen: {text}</translation>
    </message>
    <message>
        <source>found</source>
        <translation>gefunden</translation>
    </message>
    <message>
        <source>not found</source>
        <translation>nicht gefunden</translation>
    </message>
    <message>
        <source>line {n} by likelihood</source>
        <translation>Zeile {n} nach Wahrscheinlichkeit</translation>
    </message>
    <message>
        <source>Add a memory test</source>
        <translation>Gedächtnistest hinzufügen</translation>
    </message>
    <message>
        <source>A question, as you would ask it in a chat</source>
        <translation>Eine Frage, wie du sie im Chat stellen würdest</translation>
    </message>
    <message>
        <source>Words as they were said: “she repairs cranes”</source>
        <translation>Wörter, wie sie gesagt wurden: „sie repariert Kräne“</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>Frage</translation>
    </message>
    <message>
        <source>What must be found</source>
        <translation>Was gefunden werden muss</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>Hinzufügen</translation>
    </message>
</context>
<context>
    <name>MergeDialog</name>
    <message>
        <source>Join {name} with another</source>
        <translation>{name} mit etwas anderem zusammenführen</translation>
    </message>
    <message>
        <source>Search people and things</source>
        <translation>Personen und Dinge durchsuchen</translation>
    </message>
    <message>
        <source>People and things</source>
        <translation>Personen und Dinge</translation>
    </message>
    <message>
        <source>Choose the one that stays.</source>
        <translation>Wähle, welcher Eintrag bleibt.</translation>
    </message>
    <message>
        <source>Join</source>
        <translation>Zusammenführen</translation>
    </message>
    <message>
        <source>That is {name} itself. Choose another one.</source>
        <translation>Das ist {name} selbst. Wähle einen anderen Eintrag.</translation>
    </message>
    <message numerus="yes">
        <source>%n facts</source>
        <translation>
            <numerusform>%Ln Fakt</numerusform>
            <numerusform>%Ln Fakten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n episodes</source>
        <translation>
            <numerusform>%Ln Episode</numerusform>
            <numerusform>%Ln Episoden</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n relations</source>
        <translation>
            <numerusform>%Ln Beziehung</numerusform>
            <numerusform>%Ln Beziehungen</numerusform>
        </translation>
    </message>
    <message>
        <source>{gone} goes, and {name} gets its {counts}. “{gone}” stays as another name. You can take this back, later too: under Activity.</source>
        <translation>{gone} geht, und {name} bekommt {counts}. „{gone}“ bleibt als weiterer Name. Das lässt sich zurücknehmen, auch später: unter „Verlauf“.</translation>
    </message>
</context>
<context>
    <name>Message</name>
    <message>
        <source>Remember this</source>
        <extracomment>Longer user messages are folded to this many characters. Height of the box with the whole message, in px at 100 %. Side of a picture in a message, in px at 100 %.</extracomment>
        <translation>Das merken</translation>
    </message>
    <message>
        <source>Forget this…</source>
        <translation>Das vergessen …</translation>
    </message>
    <message>
        <source>Copy message</source>
        <translation>Nachricht kopieren</translation>
    </message>
</context>
<context>
    <name>ModelStep</name>
    <message>
        <source>Model</source>
        <extracomment>Best first; sizes as published on the hub.</extracomment>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Choose a model</source>
        <translation>Wähle ein Modell</translation>
    </message>
    <message>
        <source>The bundled one works at once and offline, but is small. A larger one answers and remembers better.</source>
        <translation>Das mitgelieferte geht sofort und ohne Netz, ist aber klein. Ein größeres antwortet und merkt sich besser.</translation>
    </message>
    <message>
        <source>Use a model server…</source>
        <extracomment>Other programs&apos; models on offer, by path.</extracomment>
        <translation>Modellserver verwenden …</translation>
    </message>
    <message>
        <source>Ready on this computer</source>
        <translation>Auf diesem Rechner bereit</translation>
    </message>
    <message>
        <source>{size}, needs {gb} GB of memory</source>
        <translation>{size}, braucht {gb} GB RAM</translation>
    </message>
    <message>
        <source>Looking for models…</source>
        <translation>Sucht Modelle …</translation>
    </message>
    <message>
        <source>bundled, works now</source>
        <translation>mitgeliefert, geht sofort</translation>
    </message>
    <message>
        <source>from {program}, used in place</source>
        <translation>von {program}, benutzt, wo es liegt</translation>
    </message>
    <message>
        <source>Download of {name}</source>
        <translation>Herunterladen von {name}</translation>
    </message>
    <message>
        <source>Download</source>
        <translation>Herunterladen</translation>
    </message>
</context>
<context>
    <name>ModelsPage</name>
    <message>
        <source>Add file</source>
        <extracomment>From this many models there is a search, and a server shows at most this many at once. The work on a model with its description, so that it can be stopped.</extracomment>
        <translation>Datei hinzufügen</translation>
    </message>
    <message>
        <source>Add folder</source>
        <translation>Ordner hinzufügen</translation>
    </message>
    <message>
        <source>Find on this machine</source>
        <translation>Auf diesem Rechner suchen</translation>
    </message>
    <message>
        <source>Add server</source>
        <translation>Server hinzufügen</translation>
    </message>
    <message>
        <source>Download</source>
        <translation>Herunterladen</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>Modelle</translation>
    </message>
    <message>
        <source>Which model chats, which one keeps the memory, and what they need.</source>
        <translation>Welches Modell chattet, welches das Gedächtnis führt und was sie brauchen.</translation>
    </message>
    <message>
        <source>Search models</source>
        <translation>Modelle suchen</translation>
    </message>
    <message>
        <source>On this machine</source>
        <translation>Auf diesem Rechner</translation>
    </message>
    <message>
        <source>On other servers</source>
        <translation>Auf anderen Servern</translation>
    </message>
    <message>
        <source>Refresh</source>
        <translation>Aktualisieren</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>Ändern</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>None of its models matches.</source>
        <translation>Kein Modell von ihm passt dazu.</translation>
    </message>
    <message>
        <source>It had no models when last asked.</source>
        <translation>Es hatte keine Modelle, als es zuletzt gefragt wurde.</translation>
    </message>
    <message numerus="yes">
        <source>%n more: search for one by name.</source>
        <translation>
            <numerusform>%Ln weiteres: suche es beim Namen.</numerusform>
            <numerusform>%Ln weitere: suche eines beim Namen.</numerusform>
        </translation>
    </message>
    <message>
        <source>chats</source>
        <translation>chattet</translation>
    </message>
    <message>
        <source>keeps the memory</source>
        <translation>führt das Gedächtnis</translation>
    </message>
    <message>
        <source>loaded</source>
        <translation>geladen</translation>
    </message>
    <message>
        <source>not usable</source>
        <translation>nicht brauchbar</translation>
    </message>
    <message>
        <source>{n} B parameters</source>
        <translation>{n} Mrd. Parameter</translation>
    </message>
    <message>
        <source>{n} M parameters</source>
        <translation>{n} Mio. Parameter</translation>
    </message>
    <message>
        <source>context {n}</source>
        <translation>Kontext {n}</translation>
    </message>
    <message>
        <source>reads {read}, writes {write} tokens/s here</source>
        <translation>liest {read}, schreibt {write} Token/s hier</translation>
    </message>
    <message>
        <source>{size} in memory</source>
        <translation>{size} im Arbeitsspeicher</translation>
    </message>
    <message>
        <source>Not tested yet: the self-test says whether it may write the memory in its own words.</source>
        <translation>Noch nicht getestet: der Selbsttest zeigt, ob es das Gedächtnis in eigenen Worten schreiben darf.</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Use for chat</source>
        <translation>Zum Chatten benutzen</translation>
    </message>
    <message>
        <source>Use for memory</source>
        <translation>Für das Gedächtnis benutzen</translation>
    </message>
    <message>
        <source>Self-test</source>
        <translation>Selbsttest</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>Messen</translation>
    </message>
    <message>
        <source>Context…</source>
        <translation>Kontext…</translation>
    </message>
    <message>
        <source>Unload</source>
        <translation>Entladen</translation>
    </message>
    <message>
        <source>Delete file…</source>
        <translation>Datei löschen …</translation>
    </message>
    <message>
        <source>Delete {name}?</source>
        <translation>{name} löschen?</translation>
    </message>
    <message>
        <source>Its file, {size}, is deleted from this disk. It can be downloaded again.</source>
        <translation>Seine Datei, {size}, wird von dieser Festplatte gelöscht. Sie kann wieder heruntergeladen werden.</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Measuring…</source>
        <translation>Misst …</translation>
    </message>
    <message>
        <source>Reading a small conversation…</source>
        <translation>Liest ein kleines Gespräch …</translation>
    </message>
    <message>
        <source>Add a model</source>
        <translation>Modell hinzufügen</translation>
    </message>
    <message>
        <source>Models (*.gguf)</source>
        <translation>Modelle (*.gguf)</translation>
    </message>
    <message>
        <source>Add a folder of models</source>
        <translation>Ordner mit Modellen hinzufügen</translation>
    </message>
</context>
<context>
    <name>NameStep</name>
    <message>
        <source>You</source>
        <translation>Du</translation>
    </message>
    <message>
        <source>Who are you?</source>
        <translation>Wer bist du?</translation>
    </message>
    <message>
        <source>Every agent knows these lines and uses them where they matter. You can change them under Memory, Identity.</source>
        <translation>Jeder Agent kennt diese Zeilen und nutzt sie, wo sie zählen. Du kannst sie unter Gedächtnis, Identität ändern.</translation>
    </message>
    <message>
        <source>for example Anna Berger</source>
        <extracomment>Ids of the lines stored here, by topic.</extracomment>
        <translation>zum Beispiel Anna Berger</translation>
    </message>
    <message>
        <source>for example Anna</source>
        <translation>zum Beispiel Anna</translation>
    </message>
    <message>
        <source>for example: I live in Graz and write software.</source>
        <translation>zum Beispiel: Ich lebe in Graz und schreibe Software.</translation>
    </message>
    <message>
        <source>Your name</source>
        <translation>Dein Name</translation>
    </message>
    <message>
        <source>What should agents call you?</source>
        <translation>Wie sollen Agenten dich nennen?</translation>
    </message>
    <message>
        <source>Something they should always know</source>
        <translation>Etwas, das sie immer wissen sollen</translation>
    </message>
    <message>
        <source>The user&apos;s name is {name}.</source>
        <translation>Ich heiße {name}.</translation>
    </message>
    <message>
        <source>The user wants to be called {name}.</source>
        <translation>Ich möchte {name} genannt werden.</translation>
    </message>
</context>
<context>
    <name>Narrowing</name>
    <message>
        <source>Filters</source>
        <extracomment>Debounce of a search, in ms. Width in px at 100 % below which filters are behind a button. The present search, without text still being typed.</extracomment>
        <translation>Filter</translation>
    </message>
</context>
<context>
    <name>NewCodeDialog</name>
    <message>
        <source>Write it down and keep it away from this machine. It is not shown again.</source>
        <translation>Schreib ihn auf und bewahre ihn fern von diesem Rechner auf. Er wird nicht wieder gezeigt.</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>I have kept it</source>
        <translation>Ich habe ihn aufbewahrt</translation>
    </message>
</context>
<context>
    <name>NewTokenDialog</name>
    <message>
        <source>For example: notebook, editor plug-in</source>
        <translation>Zum Beispiel: Notebook, Editor-Plug-in</translation>
    </message>
    <message>
        <source>All agents</source>
        <translation>Alle Agenten</translation>
    </message>
    <message>
        <source>Valid for</source>
        <translation>Gültig für</translation>
    </message>
    <message>
        <source>30 days</source>
        <translation>30 Tage</translation>
    </message>
    <message>
        <source>90 days</source>
        <translation>90 Tage</translation>
    </message>
    <message>
        <source>1 year</source>
        <translation>1 Jahr</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>unbegrenzt</translation>
    </message>
    <message>
        <source>Client</source>
        <translation>Programm</translation>
    </message>
    <message>
        <source>May use</source>
        <translation>Darf benutzen</translation>
    </message>
    <message>
        <source>The memory it may reach</source>
        <translation>Gedächtnis, auf das zugegriffen werden darf</translation>
    </message>
    <message>
        <source>Create</source>
        <translation>Anlegen</translation>
    </message>
    <message>
        <source>Choose an agent, or all of them.</source>
        <translation>Einen Agenten wählen, oder alle.</translation>
    </message>
    <message>
        <source>Copy it now: only its fingerprint is kept, and it cannot be shown again.</source>
        <translation>Kopiere es jetzt: behalten wird nur sein Fingerabdruck, und es kann nicht wieder gezeigt werden.</translation>
    </message>
    <message>
        <source>Secret</source>
        <translation>Geheimnis</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
</context>
<context>
    <name>NewToolServerDialog</name>
    <message>
        <source>Add a tool server</source>
        <translation>Werkzeugserver hinzufügen</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>A command is started when its tools are read and while an answer uses them.</source>
        <translation>Ein Befehl wird gestartet, wenn seine Werkzeuge gelesen werden und solange eine Antwort sie benutzt.</translation>
    </message>
    <message>
        <source>Command, or address with http://</source>
        <translation>Befehl oder Adresse mit http://</translation>
    </message>
    <message>
        <source>Key, if the address wants one</source>
        <translation>Schlüssel, falls die Adresse einen verlangt</translation>
    </message>
    <message>
        <source>Who may use its tools</source>
        <translation>Wer seine Werkzeuge benutzen darf</translation>
    </message>
    <message>
        <source>Add and read its tools</source>
        <translation>Hinzufügen und Werkzeuge lesen</translation>
    </message>
    <message>
        <source>Use letters, digits, - and _ for the name, and give a command or an address.</source>
        <translation>Ein Name hat Buchstaben, Ziffern, - und _; außerdem braucht es einen Befehl oder eine Adresse.</translation>
    </message>
    <message>
        <source>The command has an open quotation mark.</source>
        <translation>Im Befehl ist ein Anführungszeichen offen.</translation>
    </message>
</context>
<context>
    <name>NotesList</name>
    <message>
        <source>For agent</source>
        <translation>Für Agent</translation>
    </message>
    <message>
        <source>Add a folder of notes</source>
        <translation>Notizordner hinzufügen</translation>
    </message>
    <message>
        <source>being read</source>
        <translation>wird gelesen</translation>
    </message>
    <message>
        <source>watched</source>
        <translation>beobachtet</translation>
    </message>
    <message>
        <source>not there</source>
        <translation>nicht da</translation>
    </message>
    <message>
        <source>not watched</source>
        <translation>nicht beobachtet</translation>
    </message>
    <message numerus="yes">
        <source>%n files</source>
        <translation>
            <numerusform>%Ln Datei</numerusform>
            <numerusform>%Ln Dateien</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n passages</source>
        <translation>
            <numerusform>%Ln Abschnitt</numerusform>
            <numerusform>%Ln Abschnitte</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n files could not be read</source>
        <translation>
            <numerusform>%Ln Datei konnte nicht gelesen werden</numerusform>
            <numerusform>%Ln Dateien konnten nicht gelesen werden</numerusform>
        </translation>
    </message>
    <message>
        <source>Read again</source>
        <translation>Neu lesen</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Choose a folder of notes</source>
        <translation>Notizordner wählen</translation>
    </message>
    <message>
        <source>Stop remembering this folder?</source>
        <translation>Diesen Ordner nicht mehr merken?</translation>
    </message>
    <message>
        <source>What was read from it is removed from the memory. The files stay as they are.</source>
        <translation>Was daraus gelesen wurde, wird aus dem Gedächtnis entfernt. Die Dateien bleiben, wie sie sind.</translation>
    </message>
</context>
<context>
    <name>NoticeList</name>
    <message>
        <source>Notices</source>
        <translation>Meldungen</translation>
    </message>
    <message>
        <source>None in this session.</source>
        <translation>In dieser Sitzung keine.</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>Leeren</translation>
    </message>
</context>
<context>
    <name>NumberField</name>
    <message>
        <source>model&apos;s own</source>
        <extracomment>Sampling parameters with a field here.</extracomment>
        <translation>wie das Modell</translation>
    </message>
    <message>
        <source>{field} must be a whole number, or empty.</source>
        <translation>{field} ist eine ganze Zahl oder leer.</translation>
    </message>
    <message>
        <source>{field} must be a number, or empty.</source>
        <translation>{field} ist eine Zahl oder leer.</translation>
    </message>
</context>
<context>
    <name>OwnSettings</name>
    <message>
        <source>Settings of this chat</source>
        <translation>Einstellungen dieses Chats</translation>
    </message>
    <message>
        <source>Everything else is as {name} has it. Programs that talk to {name} are not affected.</source>
        <translation>Alles andere ist wie bei {name}. Programme, die mit {name} sprechen, sind nicht betroffen.</translation>
    </message>
    <message>
        <source>Back to {name}&apos;s settings</source>
        <translation>Zurück zu den Einstellungen von {name}</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>Anwenden</translation>
    </message>
</context>
<context>
    <name>PageHead</name>
    <message>
        <source>More</source>
        <translation>Mehr</translation>
    </message>
</context>
<context>
    <name>PageHost</name>
    <message>
        <source>This page could not be opened</source>
        <extracomment>Pages whose class is being imported.</extracomment>
        <translation>Diese Seite ließ sich nicht öffnen</translation>
    </message>
    <message>
        <source>The rest of memdesk works. A report for us is under Diagnostics.</source>
        <translation>Alles andere in memdesk geht. Einen Bericht für uns gibt es unter Diagnose.</translation>
    </message>
</context>
<context>
    <name>Palette</name>
    <message>
        <source>Command palette</source>
        <extracomment>Recent actions kept, and shown before anything is typed; conversations shown then. Conversations whose titles are matched fuzzily; full-text search covers all. of an action, for the recently used</extracomment>
        <translation>Befehlspalette</translation>
    </message>
    <message>
        <source>Type an action, a conversation or a fact</source>
        <translation>Tippe eine Aktion, ein Gespräch oder einen Fakt</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>Ergebnisse</translation>
    </message>
    <message>
        <source>Nothing found</source>
        <translation>Nichts gefunden</translation>
    </message>
    <message>
        <source>Conversation</source>
        <translation>Gespräch</translation>
    </message>
    <message>
        <source>Fact</source>
        <translation>Fakt</translation>
    </message>
</context>
<context>
    <name>ParameterForm</name>
    <message>
        <source>Model</source>
        <extracomment>Sampling parameters without a field, kept unchanged.</extracomment>
        <translation>Modell</translation>
    </message>
    <message>
        <source>System prompt</source>
        <translation>Systemprompt</translation>
    </message>
    <message>
        <source>search_memory tool</source>
        <translation>Werkzeug search_memory</translation>
    </message>
    <message>
        <source>The model may search its memory by itself, up to three times a reply.</source>
        <translation>Das Modell darf selbst in seinem Gedächtnis suchen, bis zu dreimal je Antwort.</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>Temperatur</translation>
    </message>
    <message>
        <source>Top p</source>
        <translation>Top p</translation>
    </message>
    <message>
        <source>Longest reply</source>
        <translation>Längste Antwort</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Startwert</translation>
    </message>
    <message>
        <source>The app&apos;s chat model</source>
        <translation>Das Chat-Modell der App</translation>
    </message>
    <message>
        <source>{name} (not here)</source>
        <translation>{name} (nicht hier)</translation>
    </message>
</context>
<context>
    <name>PassphraseDialog</name>
    <message>
        <source>New passphrase</source>
        <translation>Neue Passphrase</translation>
    </message>
    <message>
        <source>Empty removes it.</source>
        <translation>Leer entfernt sie.</translation>
    </message>
    <message>
        <source>Again</source>
        <translation>Noch einmal</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>The two do not match.</source>
        <translation>Die beiden stimmen nicht überein.</translation>
    </message>
    <message>
        <source>The passphrase was changed</source>
        <translation>Die Passphrase ist geändert</translation>
    </message>
</context>
<context>
    <name>PreviewTab</name>
    <message>
        <source>A question, as you would ask it in a chat</source>
        <extracomment>In narrower tabs the question is above its options, in px at 100 %.</extracomment>
        <translation>Eine Frage, wie du sie im Chat stellen würdest</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>Frage</translation>
    </message>
    <message>
        <source>Section</source>
        <translation>Teil</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>Automatisch</translation>
    </message>
    <message>
        <source>Identity</source>
        <translation>Identität</translation>
    </message>
    <message>
        <source>Facts</source>
        <translation>Fakten</translation>
    </message>
    <message>
        <source>Episodes</source>
        <translation>Episoden</translation>
    </message>
    <message>
        <source>Transcript</source>
        <translation>Wortlaut</translation>
    </message>
    <message>
        <source> tokens</source>
        <translation> Token</translation>
    </message>
    <message>
        <source>Budget</source>
        <translation>Budget</translation>
    </message>
    <message>
        <source>Preview</source>
        <translation>Vorschau</translation>
    </message>
    <message>
        <source>Type a question to see what a chat would be given, and why.</source>
        <translation>Tippe eine Frage, um zu sehen, was ein Chat bekäme und warum.</translation>
    </message>
    <message>
        <source>What would be remembered?</source>
        <translation>Woran würde sich memdesk erinnern?</translation>
    </message>
    <message>
        <source>as {agent} is given it</source>
        <translation>wie {agent} es bekommt</translation>
    </message>
    <message>
        <source>Chosen because: {name}</source>
        <translation>Gewählt, weil: {name}</translation>
    </message>
    <message numerus="yes">
        <source>%n tokens</source>
        <translation>
            <numerusform>%Ln Token</numerusform>
            <numerusform>%Ln Token</numerusform>
        </translation>
    </message>
    <message>
        <source>Show: {text}</source>
        <translation>Zeigen: {text}</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Zeigen</translation>
    </message>
    <message>
        <source>{used} of {budget} tokens</source>
        <translation>{used} von {budget} Token</translation>
    </message>
    <message>
        <source>+ {section}</source>
        <translation>+ {section}</translation>
    </message>
    <message>
        <source>Nothing: the question goes to the model as it is.</source>
        <translation>Nichts: die Frage geht an das Modell, wie sie ist.</translation>
    </message>
    <message>
        <source>What the model is given</source>
        <translation>Was das Modell bekommt</translation>
    </message>
    <message>
        <source>Why these</source>
        <translation>Warum diese</translation>
    </message>
    <message>
        <source>Left out</source>
        <translation>Weggelassen</translation>
    </message>
</context>
<context>
    <name>ProgramCard</name>
    <message>
        <source>Language</source>
        <translation>Sprache</translation>
    </message>
    <message>
        <source>What do you remember about me?</source>
        <translation>Was weißt du noch über mich?</translation>
    </message>
    <message>
        <source>Question to try</source>
        <translation>Frage zum Ausprobieren</translation>
    </message>
    <message>
        <source>Try it</source>
        <translation>Ausprobieren</translation>
    </message>
    <message>
        <source>Turn the server on</source>
        <translation>Server einschalten</translation>
    </message>
    <message>
        <source>Asking over HTTP…</source>
        <translation>Frage über HTTP …</translation>
    </message>
</context>
<context>
    <name>ProgramDialog</name>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Recent requests</source>
        <translation>Letzte Anfragen</translation>
    </message>
    <message>
        <source>Nothing.</source>
        <translation>Nichts.</translation>
    </message>
    <message>
        <source>Wrote</source>
        <translation>Geschrieben</translation>
    </message>
    <message>
        <source>Forgotten, words and all</source>
        <translation>Vergessen, samt Wortlaut</translation>
    </message>
</context>
<context>
    <name>PromptDialog</name>
    <message>
        <source>Edit prompt</source>
        <translation>Prompt bearbeiten</translation>
    </message>
    <message>
        <source>New prompt</source>
        <translation>Neuer Prompt</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>Anweisung</translation>
    </message>
    <message>
        <source>Words in braces are asked for each time, as in: Explain {topic} to a {reader}.</source>
        <translation>Nach Wörtern in Klammern wird jedes Mal gefragt, wie in: Erkläre {topic} für {reader}.</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
</context>
<context>
    <name>PromptPicker</name>
    <message>
        <source>Prompts</source>
        <translation>Prompts</translation>
    </message>
    <message>
        <source>Edit prompts…</source>
        <translation>Prompts bearbeiten …</translation>
    </message>
</context>
<context>
    <name>QuickEntry</name>
    <message>
        <source>Quick entry</source>
        <extracomment>The draft&apos;s name, beside those of conversations, until it is asked or remembered. Width of the field, in px at 100 %. Pause in typing after which the draft is stored, in ms. The stored draft; None until known.</extracomment>
        <translation>Schnelleingabe</translation>
    </message>
    <message>
        <source>A question, or something to remember</source>
        <translation>Eine Frage oder etwas zum Merken</translation>
    </message>
    <message>
        <source>Agent</source>
        <translation>Agent</translation>
    </message>
    <message>
        <source>Assistant</source>
        <translation>Assistent</translation>
    </message>
    <message>
        <source>Remember this</source>
        <translation>Das merken</translation>
    </message>
    <message>
        <source>Ask</source>
        <translation>Fragen</translation>
    </message>
    <message>
        <source>Already known: {fact}</source>
        <translation>Schon bekannt: {fact}</translation>
    </message>
    <message>
        <source>Remembered: {fact}</source>
        <translation>Gemerkt: {fact}</translation>
    </message>
</context>
<context>
    <name>ReceiptPanel</name>
    <message>
        <source>Why this reply</source>
        <translation>Warum diese Antwort</translation>
    </message>
    <message>
        <source>{used} of {budget} tokens</source>
        <translation>{used} von {budget} Token</translation>
    </message>
    <message>
        <source>What it saw</source>
        <translation>Was sie sah</translation>
    </message>
    <message numerus="yes">
        <source>Left out: %n</source>
        <translation>
            <numerusform>Weggelassen: %Ln</numerusform>
            <numerusform>Weggelassen: %Ln</numerusform>
        </translation>
    </message>
    <message>
        <source>score {s}</source>
        <translation>Wert {s}</translation>
    </message>
    <message numerus="yes">
        <source>%n tokens</source>
        <translation>
            <numerusform>%Ln Token</numerusform>
            <numerusform>%Ln Token</numerusform>
        </translation>
    </message>
    <message>
        <source>Fix</source>
        <translation>Berichtigen</translation>
    </message>
    <message>
        <source>Pin: never fades</source>
        <translation>Anheften: verblasst nie</translation>
    </message>
    <message>
        <source>Forget</source>
        <translation>Vergessen</translation>
    </message>
    <message>
        <source>Chosen because: {name}</source>
        <translation>Gewählt, weil: {name}</translation>
    </message>
    <message>
        <source>gone since</source>
        <translation>inzwischen weg</translation>
    </message>
    <message>
        <source>What was here has been forgotten.</source>
        <translation>Was hier stand, ist vergessen.</translation>
    </message>
    <message>
        <source>This should always be found</source>
        <translation>Das soll immer gefunden werden</translation>
    </message>
    <message>
        <source>Use it here again</source>
        <translation>Hier wieder benutzen</translation>
    </message>
    <message>
        <source>Don&apos;t use this here</source>
        <translation>Hier nicht benutzen</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>Quelle</translation>
    </message>
    <message>
        <source>Open the conversation it came from</source>
        <translation>Das Gespräch öffnen, aus dem es kam</translation>
    </message>
    <message>
        <source>Open file</source>
        <translation>Datei öffnen</translation>
    </message>
    <message>
        <source>Pinned: never fades. Unpin</source>
        <translation>Angeheftet: verblasst nie. Lösen</translation>
    </message>
    <message>
        <source>Fix this memory</source>
        <translation>Diese Erinnerung berichtigen</translation>
    </message>
    <message>
        <source>What it should say</source>
        <translation>Was da stehen soll</translation>
    </message>
    <message>
        <source>The history keeps what it said before.</source>
        <translation>Der Verlauf behält, was vorher da stand.</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>Fixed</source>
        <translation>Berichtigt</translation>
    </message>
    <message>
        <source>The next reply sees the corrected words.</source>
        <translation>Die nächste Antwort sieht die berichtigten Worte.</translation>
    </message>
    <message>
        <source>Forget this?</source>
        <translation>Das vergessen?</translation>
    </message>
</context>
<context>
    <name>RemoteDialog</name>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>Other</source>
        <translation>Sonstiges</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>Adresse</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>Schlüssel</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>What you say to a model of this server, memory included, is sent to it.</source>
        <translation>Was du mit einem Modell dieses Servers schreibst, samt Gedächtnis, wird an ihn gesendet.</translation>
    </message>
    <message>
        <source>Kept in the system&apos;s keyring, or in the encrypted memory where there is none. Leave it empty if the server needs none.</source>
        <translation>Liegt im Schlüsselbund des Systems, oder im verschlüsselten Gedächtnis, wo es keinen gibt. Leer lassen, wenn der Server keinen braucht.</translation>
    </message>
    <message>
        <source>Kept in the system&apos;s keyring, or in the encrypted memory where there is none. Leave it empty to keep the present one.</source>
        <translation>Liegt im Schlüsselbund des Systems, oder im verschlüsselten Gedächtnis, wo es keinen gibt. Leer lassen, um den jetzigen zu behalten.</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>Hinzufügen</translation>
    </message>
</context>
<context>
    <name>RestorePage</name>
    <message>
        <source>No file chosen</source>
        <translation>Keine Datei gewählt</translation>
    </message>
    <message>
        <source>Backup file</source>
        <translation>Sicherungsdatei</translation>
    </message>
    <message>
        <source>Recovery code</source>
        <translation>Wiederherstellungscode</translation>
    </message>
    <message>
        <source>Passphrase</source>
        <translation>Passphrase</translation>
    </message>
    <message>
        <source>What opens the backup</source>
        <translation>Was die Sicherung öffnet</translation>
    </message>
    <message>
        <source>Open the backup</source>
        <translation>Sicherung öffnen</translation>
    </message>
    <message>
        <source>What it holds</source>
        <translation>Was sie enthält</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>Wiederherstellen</translation>
    </message>
    <message>
        <source>One is made each day; those of the last days, weeks and months are kept.</source>
        <translation>Jeden Tag entsteht einer; die der letzten Tage, Wochen und Monate bleiben.</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>Wählen …</translation>
    </message>
    <message>
        <source>Restore a backup</source>
        <translation>Sicherung wiederherstellen</translation>
    </message>
    <message>
        <source>The backup takes the place of the memory on this computer. What is here now is moved aside into a folder of the profile, not deleted. Settings stay as they are.</source>
        <translation>Die Sicherung tritt an die Stelle des Gedächtnisses auf diesem Rechner. Was jetzt hier ist, wird in einen Ordner des Profils beiseitegelegt, nicht gelöscht. Einstellungen bleiben, wie sie sind.</translation>
    </message>
    <message>
        <source>The one you had when the backup was made.</source>
        <translation>Der, den du hattest, als die Sicherung entstand.</translation>
    </message>
    <message>
        <source>What opens it</source>
        <translation>Was sie öffnet</translation>
    </message>
    <message>
        <source>Snapshot</source>
        <extracomment>Whether a backup is being read or restored.</extracomment>
        <translation>Schnappschuss</translation>
    </message>
    <message>
        <source>Another file</source>
        <translation>Eine andere Datei</translation>
    </message>
    <message>
        <source>Opening the backup…</source>
        <translation>Öffnet die Sicherung …</translation>
    </message>
    <message>
        <source>Restoring… The memory is closed meanwhile.</source>
        <translation>Stellt wieder her … Das Gedächtnis ist so lange geschlossen.</translation>
    </message>
    <message>
        <source>Agents</source>
        <translation>Agenten</translation>
    </message>
    <message>
        <source>Conversations</source>
        <translation>Gespräche</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>Nachrichten</translation>
    </message>
    <message>
        <source>Episodes</source>
        <translation>Episoden</translation>
    </message>
    <message>
        <source>Facts</source>
        <translation>Fakten</translation>
    </message>
    <message>
        <source>Written</source>
        <translation>Geschrieben</translation>
    </message>
    <message>
        <source>By memdesk</source>
        <translation>Von memdesk</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>{count} (now {present})</source>
        <translation>{count} (jetzt {present})</translation>
    </message>
    <message>
        <source>Restore from</source>
        <translation>Wiederherstellen aus</translation>
    </message>
    <message>
        <source>Backups of memdesk</source>
        <translation>Sicherungen von memdesk</translation>
    </message>
    <message>
        <source>All files</source>
        <translation>Alle Dateien</translation>
    </message>
</context>
<context>
    <name>ReviewTab</name>
    <message>
        <source>What distillation is not sure of waits here for your yes or no.</source>
        <extracomment>The card that was just settled by keyboard or mouse.</extracomment>
        <translation>Was beim Destillieren unsicher blieb, wartet hier auf dein Ja oder Nein.</translation>
    </message>
    <message>
        <source>Nothing to review</source>
        <translation>Nichts zu prüfen</translation>
    </message>
    <message>
        <source>tries to give orders</source>
        <translation>will Befehle geben</translation>
    </message>
    <message>
        <source>not said by you</source>
        <translation>nicht von dir gesagt</translation>
    </message>
    <message>
        <source>{n} % sure</source>
        <translation>{n} % sicher</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>Behalten</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>Bearbeiten</translation>
    </message>
    <message>
        <source>Drop</source>
        <translation>Verwerfen</translation>
    </message>
    <message>
        <source>Never store this kind</source>
        <translation>So etwas nie speichern</translation>
    </message>
    <message>
        <source>Open the conversation at “{quote}”</source>
        <translation>Das Gespräch bei „{quote}“ öffnen</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Keep this</source>
        <translation>Das behalten</translation>
    </message>
    <message>
        <source>Show fact: {text}</source>
        <translation>Fakt zeigen: {text}</translation>
    </message>
    <message>
        <source>Show fact</source>
        <translation>Fakt zeigen</translation>
    </message>
    <message>
        <source>learned on {day}</source>
        <translation>gelernt am {day}</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>Vorher</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>Jetzt</translation>
    </message>
    <message>
        <source>Both are true</source>
        <translation>Beides stimmt</translation>
    </message>
    <message>
        <source>These do not agree</source>
        <translation>Das passt nicht zusammen</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Never stored</source>
        <translation>Nie gespeichert</translation>
    </message>
    <message>
        <source>Learned from what you dropped.</source>
        <translation>Gelernt aus dem, was du verworfen hast.</translation>
    </message>
    <message>
        <source>Edit and keep</source>
        <translation>Bearbeiten und behalten</translation>
    </message>
</context>
<context>
    <name>Rewording</name>
    <message>
        <source>Edit message</source>
        <translation>Nachricht bearbeiten</translation>
    </message>
    <message>
        <source>The arrows bring back the former version and what followed it; what was learned from these alone is forgotten. In a new chat, everything here stays as it is.</source>
        <translation>Die Pfeile bringen die vorige Fassung und was ihr folgte zurück; was nur daraus gelernt wurde, wird vergessen. In einem neuen Chat bleibt hier alles, wie es ist.</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>In a new chat</source>
        <translation>In einem neuen Chat</translation>
    </message>
    <message>
        <source>Send again</source>
        <translation>Neu senden</translation>
    </message>
</context>
<context>
    <name>SalienceCurve</name>
    <message>
        <source>Salience {first} at first, {last} in three months</source>
        <extracomment>The values with a grid line.</extracomment>
        <translation>Gewicht anfangs {first}, in drei Monaten {last}</translation>
    </message>
    <message>
        <source>faded</source>
        <translation>verblasst</translation>
    </message>
    <message>
        <source>in three months</source>
        <translation>in drei Monaten</translation>
    </message>
    <message>
        <source>today</source>
        <translation>heute</translation>
    </message>
</context>
<context>
    <name>SecretEdit</name>
    <message>
        <source>Show what is typed</source>
        <translation>Zeigen, was getippt ist</translation>
    </message>
    <message>
        <source>Hide what is typed</source>
        <translation>Verbergen, was getippt ist</translation>
    </message>
</context>
<context>
    <name>SecretsTold</name>
    <message numerus="yes">
        <source>%n secrets left out</source>
        <translation>
            <numerusform>%Ln Geheimnis ausgelassen</numerusform>
            <numerusform>%Ln Geheimnisse ausgelassen</numerusform>
        </translation>
    </message>
    <message>
        <source>None of them is in memory. The end of the chat shows each, and can keep it: {titles}</source>
        <translation>Keines davon wird gemerkt. Das Ende des Chats nennt jedes und behält es auf Wunsch: {titles}</translation>
    </message>
</context>
<context>
    <name>SeenCard</name>
    <message>
        <source>What programs read and wrote</source>
        <translation>Was Programme gelesen und geschrieben haben</translation>
    </message>
    <message>
        <source>By the name of their token. What one wrote can be undone together.</source>
        <translation>Nach dem Namen ihres Tokens. Was eines geschrieben hat, lässt sich zusammen zurücknehmen.</translation>
    </message>
    <message>
        <source>None yet.</source>
        <translation>Noch keine.</translation>
    </message>
    <message>
        <source>last seen {when}</source>
        <translation>zuletzt gesehen {when}</translation>
    </message>
    <message>
        <source>agent {name}</source>
        <translation>Agent {name}</translation>
    </message>
    <message numerus="yes">
        <source>%n changes</source>
        <translation>
            <numerusform>%Ln Änderung</numerusform>
            <numerusform>%Ln Änderungen</numerusform>
        </translation>
    </message>
    <message>
        <source>wrote nothing</source>
        <translation>hat nichts geschrieben</translation>
    </message>
    <message>
        <source>connected</source>
        <translation>verbunden</translation>
    </message>
    <message>
        <source>no token</source>
        <translation>kein Token</translation>
    </message>
    <message>
        <source>never seen</source>
        <translation>nie gesehen</translation>
    </message>
    <message>
        <source>Look…</source>
        <translation>Ansehen …</translation>
    </message>
    <message>
        <source>Undo…</source>
        <translation>Zurücknehmen …</translation>
    </message>
</context>
<context>
    <name>SelectionBar</name>
    <message>
        <source>Remember this</source>
        <translation>Das merken</translation>
    </message>
    <message>
        <source>Forget this…</source>
        <translation>Das vergessen …</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
</context>
<context>
    <name>Session</name>
    <message>
        <source>Restore a backup</source>
        <extracomment>Whether a request for quick entry waits for the memory to open. A requested backup, until the state of the memory is known.</extracomment>
        <translation>Sicherung wiederherstellen</translation>
    </message>
    <message>
        <source>If you forget the passphrase, nothing else opens your memory.</source>
        <translation>Vergisst du die Passphrase, öffnet nichts anderes dein Gedächtnis.</translation>
    </message>
    <message>
        <source>If keyring and passphrase are lost, nothing else opens your memory.</source>
        <translation>Gehen Schlüsselbund und Passphrase verloren, öffnet nichts anderes dein Gedächtnis.</translation>
    </message>
    <message>
        <source>If the keyring is lost, nothing else opens your memory.</source>
        <translation>Geht der Schlüsselbund verloren, öffnet nichts anderes dein Gedächtnis.</translation>
    </message>
    <message>
        <source>Your recovery code is not confirmed yet.</source>
        <translation>Dein Wiederherstellungscode ist noch nicht bestätigt.</translation>
    </message>
    <message>
        <source>recovery</source>
        <translation>wiederherstellung</translation>
    </message>
    <message>
        <source>Confirm it</source>
        <translation>Bestätigen</translation>
    </message>
    <message>
        <source>Later</source>
        <translation>Später</translation>
    </message>
    <message>
        <source>Press {keys} in any program.</source>
        <translation>Drücke {keys} in irgendeinem Programm.</translation>
    </message>
    <message>
        <source>The quick entry shortcut is set</source>
        <translation>Das Tastenkürzel der Schnelleingabe ist eingerichtet</translation>
    </message>
    <message>
        <source>Show {page}</source>
        <translation>{page} zeigen</translation>
    </message>
</context>
<context>
    <name>SettingsPage</name>
    <message>
        <source>Search settings</source>
        <extracomment>Chosen values not yet stored, by dotted name.</extracomment>
        <translation>Einstellungen durchsuchen</translation>
    </message>
    <message>
        <source>Section</source>
        <translation>Teil</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Changes are saved at once.</source>
        <translation>Änderungen werden sofort gespeichert.</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Mehr</translation>
    </message>
    <message>
        <source>None</source>
        <translation>Keines</translation>
    </message>
    <message>
        <source>memdesk&apos;s own models</source>
        <translation>Eigene Modelle von memdesk</translation>
    </message>
    <message>
        <source>The local server uses its previous settings until it is restarted.</source>
        <translation>Der lokale Server hält sich an die bisherigen Einstellungen, bis er neu gestartet wird.</translation>
    </message>
    <message>
        <source>Restart server</source>
        <translation>Server neu starten</translation>
    </message>
    <message>
        <source>No option&apos;s name or help contains these words.</source>
        <translation>Keine Einstellung hat diese Wörter im Namen oder in der Hilfe.</translation>
    </message>
    <message>
        <source>Nothing found</source>
        <translation>Nichts gefunden</translation>
    </message>
    <message numerus="yes">
        <source>%n options found</source>
        <translation>
            <numerusform>%Ln Einstellung gefunden</numerusform>
            <numerusform>%Ln Einstellungen gefunden</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ShortcutsDialog</name>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
</context>
<context>
    <name>SidePanel</name>
    <message>
        <source>Close panel</source>
        <extracomment>The panel was shown or hidden.</extracomment>
        <translation>Leiste schließen</translation>
    </message>
</context>
<context>
    <name>Sidebar</name>
    <message>
        <source>Pages</source>
        <translation>Seiten</translation>
    </message>
    <message>
        <source>Menu</source>
        <translation>Menü</translation>
    </message>
    <message>
        <source>Collapse the sidebar</source>
        <translation>Seitenleiste einklappen</translation>
    </message>
</context>
<context>
    <name>StartFault</name>
    <message>
        <source>Try again</source>
        <extracomment>When other pages are imported, in ms after the first one is shown.</extracomment>
        <translation>Noch einmal versuchen</translation>
    </message>
</context>
<context>
    <name>StatePane</name>
    <message>
        <source>Loading</source>
        <extracomment>Width in px at 100 % below which a header with tools omits its sentence. Width in px at 100 % below which plain buttons move to a menu. Minimum width of the sentence beside the tools, in px at 100 %.</extracomment>
        <translation>Lädt</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Noch einmal versuchen</translation>
    </message>
</context>
<context>
    <name>StatusBar</name>
    <message>
        <source>Status</source>
        <extracomment>Polling interval between events, in ms.</extracomment>
        <translation>Status</translation>
    </message>
    <message>
        <source>Starting…</source>
        <translation>Startet …</translation>
    </message>
    <message>
        <source>Notices</source>
        <translation>Meldungen</translation>
    </message>
    <message>
        <source>{model} · remote</source>
        <translation>{model} · entfernt</translation>
    </message>
    <message numerus="yes">
        <source>%n parked</source>
        <translation>
            <numerusform>%Ln zurückgestellt</numerusform>
            <numerusform>%Ln zurückgestellt</numerusform>
        </translation>
    </message>
    <message>
        <source>Distilling…</source>
        <translation>Destilliert …</translation>
    </message>
    <message numerus="yes">
        <source>%n pending</source>
        <translation>
            <numerusform>%Ln wartet</numerusform>
            <numerusform>%Ln warten</numerusform>
        </translation>
    </message>
    <message>
        <source>All distilled</source>
        <translation>Alles destilliert</translation>
    </message>
    <message>
        <source>No model</source>
        <translation>Kein Modell</translation>
    </message>
    <message>
        <source>Server starting</source>
        <translation>Server startet</translation>
    </message>
    <message>
        <source>Server failed</source>
        <translation>Server fehlgeschlagen</translation>
    </message>
    <message>
        <source>Server off</source>
        <translation>Server aus</translation>
    </message>
    <message>
        <source>Consolidating</source>
        <translation>Konsolidiert</translation>
    </message>
    <message>
        <source>Importing</source>
        <translation>Importiert</translation>
    </message>
    <message>
        <source>Indexing</source>
        <translation>Indiziert</translation>
    </message>
    <message>
        <source>Distilling</source>
        <translation>Destilliert</translation>
    </message>
    <message numerus="yes">
        <source>%n new notices</source>
        <translation>
            <numerusform>%Ln neue Meldung</numerusform>
            <numerusform>%Ln neue Meldungen</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Swatch</name>
    <message>
        <source>Color {code}</source>
        <translation>Farbe {code}</translation>
    </message>
</context>
<context>
    <name>TakingTurns</name>
    <message>
        <source>Back to the list</source>
        <extracomment>Width from which both fit, and the minimum of the entry&apos;s, in px at 100 %.</extracomment>
        <translation>Zurück zur Liste</translation>
    </message>
</context>
<context>
    <name>ThinkingRow</name>
    <message>
        <source>What the model said to itself before it answered. It is kept with the answer, and never remembered.</source>
        <extracomment>Visible lines; the rest scrolls. Characters added to the box per round of the event loop. Each new word lays out its paragraph again; longer ones are continued in a new one. Trailing white space: shown when more text follows.</extracomment>
        <translation>Was das Modell sich sagte, bevor es antwortete. Es bleibt bei der Antwort und wird nie zur Erinnerung.</translation>
    </message>
    <message>
        <source>Thinking… {time}</source>
        <extracomment>Parts already in the box.</extracomment>
        <translation>Denkt nach … {time}</translation>
    </message>
    <message>
        <source>Thought for {time}</source>
        <translation>{time} nachgedacht</translation>
    </message>
    <message>
        <source>Thought briefly</source>
        <translation>Kurz nachgedacht</translation>
    </message>
    <message>
        <source>Thinking</source>
        <translation>Denkt nach</translation>
    </message>
    <message>
        <source>What the model thinks</source>
        <translation>Was das Modell denkt</translation>
    </message>
</context>
<context>
    <name>ThreadView</name>
    <message>
        <source>Messages</source>
        <extracomment>View heights to fill above and below the view, and beyond which messages are removed again. How long the scroll position is held while the layout above it settles, in ms. Pause for layout between creating two messages, in ms. A message not in view: as loaded, or the widget of a newer one.</extracomment>
        <translation>Nachrichten</translation>
    </message>
    <message>
        <source>To the end</source>
        <extracomment>The source of loaded messages; newer ones have none. Distance from the end to keep while messages above are added or removed. The message being scrolled to.</extracomment>
        <translation>Ans Ende</translation>
    </message>
</context>
<context>
    <name>Thumbnail</name>
    <message>
        <source>A picture</source>
        <translation>Ein Bild</translation>
    </message>
    <message>
        <source>Picture: {name}</source>
        <translation>Bild: {name}</translation>
    </message>
    <message>
        <source>Delete takes it away.</source>
        <translation>Entf nimmt es weg.</translation>
    </message>
    <message>
        <source>View</source>
        <translation>Ansehen</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
</context>
<context>
    <name>Toast</name>
    <message>
        <source>Close</source>
        <extracomment>How long a notice without action stays, in ms; errors stay until they are closed or their page is left. How long an error stays at least, in ms, however soon its page is left. Events that change the space for toasts.</extracomment>
        <translation>Schließen</translation>
    </message>
</context>
<context>
    <name>TokensCard</name>
    <message>
        <source>Clients</source>
        <translation>Programme</translation>
    </message>
    <message>
        <source>Programs on this machine call the server with a token of their own.</source>
        <translation>Programme auf diesem Rechner rufen den Server mit einem eigenen Token auf.</translation>
    </message>
    <message>
        <source>New token</source>
        <translation>Neues Token</translation>
    </message>
    <message>
        <source>Restart server</source>
        <translation>Server neu starten</translation>
    </message>
    <message>
        <source>The server is switched off.</source>
        <translation>Der Server ist ausgeschaltet.</translation>
    </message>
    <message>
        <source>The server is not running.</source>
        <translation>Der Server läuft nicht.</translation>
    </message>
    <message>
        <source>Start server</source>
        <translation>Server starten</translation>
    </message>
    <message>
        <source>No client has a token yet.</source>
        <translation>Noch kein Programm hat ein Token.</translation>
    </message>
    <message>
        <source>last used {when}</source>
        <translation>zuletzt benutzt {when}</translation>
    </message>
    <message>
        <source>until {when}</source>
        <translation>bis {when}</translation>
    </message>
    <message>
        <source>agent {name}</source>
        <translation>Agent {name}</translation>
    </message>
    <message>
        <source>never used</source>
        <translation>nie benutzt</translation>
    </message>
    <message>
        <source>Revoke</source>
        <translation>Widerrufen</translation>
    </message>
    <message>
        <source>Revoke this token?</source>
        <translation>Dieses Token widerrufen?</translation>
    </message>
    <message>
        <source>“{name}” can no longer call the server.</source>
        <translation>„{name}“ kann den Server nicht mehr aufrufen.</translation>
    </message>
</context>
<context>
    <name>ToolRow</name>
    <message>
        <source>May “{tool}” of {server} be used with this?</source>
        <translation>Darf „{tool}“ von {server} hiermit benutzt werden?</translation>
    </message>
    <message>
        <source>What is sent</source>
        <translation>Was gesendet wird</translation>
    </message>
    <message>
        <source>Allow once</source>
        <translation>Einmal erlauben</translation>
    </message>
    <message>
        <source>Always allow this tool</source>
        <translation>Dieses Werkzeug immer erlauben</translation>
    </message>
    <message>
        <source>Deny</source>
        <translation>Ablehnen</translation>
    </message>
    <message>
        <source>“{tool}” of {server} was not allowed</source>
        <translation>„{tool}“ von {server} wurde nicht erlaubt</translation>
    </message>
    <message>
        <source>“{tool}” of {server} failed</source>
        <translation>„{tool}“ von {server} ist gescheitert</translation>
    </message>
    <message>
        <source>Used “{tool}” of {server}</source>
        <translation>„{tool}“ von {server} benutzt</translation>
    </message>
    <message>
        <source>What came back</source>
        <translation>Was zurückkam</translation>
    </message>
</context>
<context>
    <name>ToolServersList</name>
    <message>
        <source>Add a tool server</source>
        <translation>Werkzeugserver hinzufügen</translation>
    </message>
    <message numerus="yes">
        <source>%n tools</source>
        <translation>
            <numerusform>%Ln Werkzeug</numerusform>
            <numerusform>%Ln Werkzeuge</numerusform>
        </translation>
    </message>
    <message>
        <source>its tools were not read yet</source>
        <translation>seine Werkzeuge wurden noch nicht gelesen</translation>
    </message>
    <message>
        <source>no agent</source>
        <translation>kein Agent</translation>
    </message>
    <message>
        <source>Read its tools</source>
        <translation>Werkzeuge lesen</translation>
    </message>
    <message>
        <source>Tools…</source>
        <translation>Werkzeuge …</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
</context>
<context>
    <name>ToolsDialog</name>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Ask before each use</source>
        <translation>Vor jeder Benutzung fragen</translation>
    </message>
</context>
<context>
    <name>TranscriptTab</name>
    <message>
        <source>Search messages</source>
        <translation>Nachrichten durchsuchen</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>Nachrichten</translation>
    </message>
    <message>
        <source>What you and your agents say is kept here, word for word.</source>
        <translation>Was du und deine Agenten sagen, steht hier Wort für Wort.</translation>
    </message>
    <message>
        <source>No messages</source>
        <translation>Keine Nachrichten</translation>
    </message>
</context>
<context>
    <name>Tray</name>
    <message>
        <source>Show memdesk</source>
        <translation>memdesk zeigen</translation>
    </message>
    <message>
        <source>Quick entry</source>
        <translation>Schnelleingabe</translation>
    </message>
    <message>
        <source>Pause background work</source>
        <translation>Hintergrundarbeit anhalten</translation>
    </message>
    <message>
        <source>Lock now</source>
        <translation>Jetzt sperren</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <source>Locked</source>
        <translation>Gesperrt</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>Angehalten</translation>
    </message>
    <message numerus="yes">
        <source>%n messages wait to be distilled</source>
        <translation>
            <numerusform>%Ln Nachricht wartet auf Destillation</numerusform>
            <numerusform>%Ln Nachrichten warten auf Destillation</numerusform>
        </translation>
    </message>
    <message>
        <source>Everything is distilled</source>
        <translation>Alles ist destilliert</translation>
    </message>
</context>
<context>
    <name>TurnsModel</name>
    <message>
        <source>Message</source>
        <extracomment>Markdown marks that are noise in a list. Titles of the conversations of the rows, by agent and id. Names of the agents, if all are shown.</extracomment>
        <translation>Nachricht</translation>
    </message>
    <message>
        <source>Said</source>
        <translation>Gesagt</translation>
    </message>
</context>
<context>
    <name>UndoBar</name>
    <message>
        <source>What was done</source>
        <extracomment>Actions that can be undone, last first; the log keeps all.</extracomment>
        <translation>Was getan wurde</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
</context>
<context>
    <name>UsageCard</name>
    <message numerus="yes">
        <source>Tokens and time of the last %n days, by day and model.</source>
        <translation>
            <numerusform>Tokens und Zeit des letzten Tages, nach Modell.</numerusform>
            <numerusform>Tokens und Zeit der letzten %Ln Tage, nach Tag und Modell.</numerusform>
        </translation>
    </message>
    <message>
        <source>Usage</source>
        <extracomment>Days summed up, and lines shown.</extracomment>
        <translation>Verbrauch</translation>
    </message>
    <message>
        <source>No model has answered yet.</source>
        <translation>Noch hat kein Modell geantwortet.</translation>
    </message>
    <message>
        <source>Day</source>
        <translation>Tag</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Answers</source>
        <translation>Antworten</translation>
    </message>
    <message>
        <source>Tokens read</source>
        <translation>Tokens gelesen</translation>
    </message>
    <message>
        <source>Of them memory</source>
        <translation>Davon Gedächtnis</translation>
    </message>
    <message>
        <source>Tokens written</source>
        <translation>Tokens geschrieben</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
</context>
<context>
    <name>UserMessage</name>
    <message>
        <source>You said</source>
        <translation>Du sagtest</translation>
    </message>
    <message>
        <source>Edit and send again</source>
        <extracomment>Attachments above the text, each kind on its own lines.</extracomment>
        <translation>Bearbeiten und neu senden</translation>
    </message>
    <message>
        <source>Show what the model was given of it</source>
        <translation>Zeigen, was das Modell davon bekam</translation>
    </message>
    <message>
        <source>Show all ({n} characters)</source>
        <translation>Alles zeigen ({n} Zeichen)</translation>
    </message>
    <message>
        <source>Show less</source>
        <translation>Weniger zeigen</translation>
    </message>
</context>
<context>
    <name>VaultCard</name>
    <message>
        <source>Encryption and copies</source>
        <translation>Verschlüsselung und Kopien</translation>
    </message>
    <message>
        <source>Set passphrase</source>
        <translation>Passphrase setzen</translation>
    </message>
    <message>
        <source>Recovery code</source>
        <translation>Wiederherstellungscode</translation>
    </message>
    <message>
        <source>Opens the memory when nothing else does. Try yours now and then.</source>
        <translation>Öffnet das Gedächtnis, wenn nichts anderes es mehr öffnet. Prüfe deinen hin und wieder.</translation>
    </message>
    <message>
        <source>Try it</source>
        <translation>Ausprobieren</translation>
    </message>
    <message>
        <source>New code</source>
        <translation>Neuer Code</translation>
    </message>
    <message>
        <source>Passphrase</source>
        <translation>Passphrase</translation>
    </message>
    <message>
        <source>A second way to open the memory, for example on a server without a keyring.</source>
        <translation>Ein zweiter Weg, das Gedächtnis zu öffnen, etwa auf einem Server ohne Schlüsselbund.</translation>
    </message>
    <message>
        <source>Backup</source>
        <translation>Sicherung</translation>
    </message>
    <message>
        <source>One encrypted file; your recovery code opens it.</source>
        <translation>Eine verschlüsselte Datei; dein Wiederherstellungscode öffnet sie.</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>Wiederherstellen</translation>
    </message>
    <message>
        <source>Back up</source>
        <translation>Sichern</translation>
    </message>
    <message>
        <source>Export everything</source>
        <translation>Alles exportieren</translation>
    </message>
    <message>
        <source>One ZIP of JSON and Markdown, not encrypted; importing it brings everything back.</source>
        <translation>Ein ZIP aus JSON und Markdown, nicht verschlüsselt; ein Import bringt alles zurück.</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Exportieren</translation>
    </message>
    <message>
        <source>Chats from other apps</source>
        <translation>Chats anderer Apps</translation>
    </message>
    <message>
        <source>Exports from ChatGPT, Claude, Gemini, Grok, Open WebUI, LM Studio, Jan, LibreChat, AnythingLLM and Osaurus, plain JSON and Markdown.</source>
        <translation>Exporte von ChatGPT, Claude, Gemini, Grok, Open WebUI, LM Studio, Jan, LibreChat, AnythingLLM und Osaurus, einfaches JSON und Markdown.</translation>
    </message>
    <message>
        <source>Import</source>
        <translation>Importieren</translation>
    </message>
    <message>
        <source>Lock</source>
        <translation>Sperren</translation>
    </message>
    <message>
        <source>Drops the keys, unloads the models and blanks the window. The server answers &apos;locked&apos;.</source>
        <translation>Vergisst die Schlüssel, entlädt die Modelle und leert das Fenster. Der Server antwortet „gesperrt“.</translation>
    </message>
    <message>
        <source>Lock now</source>
        <translation>Jetzt sperren</translation>
    </message>
    <message>
        <source>Forget everything</source>
        <translation>Alles vergessen</translation>
    </message>
    <message>
        <source>Every conversation, fact and episode of every agent. It cannot be undone.</source>
        <translation>Jedes Gespräch, jeder Fakt und jede Episode aller Agenten. Das lässt sich nicht rückgängig machen.</translation>
    </message>
    <message>
        <source>Everything remembered is in one encrypted database on this disk.</source>
        <translation>Alles Gemerkte liegt in einer verschlüsselten Datenbank auf dieser Platte.</translation>
    </message>
    <message>
        <source>Vectors of programs&apos; entries are copied to {place}.</source>
        <translation>Zahlen, die für die Einträge von Programmen stehen, werden nach {place} kopiert.</translation>
    </message>
    <message>
        <source>Nothing is sent anywhere.</source>
        <translation>Nichts wird irgendwohin gesendet.</translation>
    </message>
    <message>
        <source>What you ask models on {servers}, memories included, is sent there.</source>
        <translation>Was Modelle auf {servers} gefragt werden, wird dorthin gesendet, Gemerktes eingeschlossen.</translation>
    </message>
    <message>
        <source>Make a new recovery code?</source>
        <translation>Neuen Wiederherstellungscode erzeugen?</translation>
    </message>
    <message>
        <source>The current one will then open only older backups.</source>
        <translation>Der jetzige öffnet dann nichts mehr, außer älteren Sicherungen.</translation>
    </message>
    <message>
        <source>Forget everything?</source>
        <translation>Alles vergessen?</translation>
    </message>
    <message>
        <source>Agents and settings stay; everything said and learned is deleted.</source>
        <translation>Agenten und Einstellungen bleiben; alles Gesagte und Gelernte wird gelöscht.</translation>
    </message>
</context>
<context>
    <name>VersionArrows</name>
    <message>
        <source>Former version</source>
        <translation>Frühere Fassung</translation>
    </message>
    <message>
        <source>Later version</source>
        <translation>Spätere Fassung</translation>
    </message>
    <message>
        <source>Version {number} of {count}</source>
        <translation>Fassung {number} von {count}</translation>
    </message>
</context>
<context>
    <name>memory</name>
    <message>
        <source>Identity</source>
        <extracomment>Tab id, title, import path of its widget.</extracomment>
        <translation>Identität</translation>
    </message>
    <message>
        <source>Facts</source>
        <translation>Fakten</translation>
    </message>
    <message>
        <source>Episodes</source>
        <translation>Episoden</translation>
    </message>
    <message>
        <source>Transcript</source>
        <translation>Wortlaut</translation>
    </message>
    <message>
        <source>People &amp;&amp; things</source>
        <translation>Personen &amp;&amp; Dinge</translation>
    </message>
    <message>
        <source>Files &amp;&amp; links</source>
        <translation>Dateien &amp;&amp; Links</translation>
    </message>
    <message>
        <source>Review</source>
        <translation>Prüfen</translation>
    </message>
    <message>
        <source>Activity</source>
        <translation>Verlauf</translation>
    </message>
    <message>
        <source>Tests</source>
        <translation>Tests</translation>
    </message>
    <message>
        <source>Preview</source>
        <translation>Vorschau</translation>
    </message>
</context>
<context>
    <name>pages</name>
    <message>
        <source>Chat</source>
        <extracomment>In the order of the sidebar; Ctrl+1 .. Ctrl+7 show them.</extracomment>
        <translation>Chat</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Gedächtnis</translation>
    </message>
    <message>
        <source>Consolidation</source>
        <translation>Konsolidierung</translation>
    </message>
    <message>
        <source>Agents</source>
        <translation>Agenten</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>Modelle</translation>
    </message>
    <message>
        <source>Diagnostics</source>
        <translation>Diagnose</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
</context>
<context>
    <name>scopes</name>
    <message>
        <source>Ask the models; with an agent&apos;s memory only where it may also read that.</source>
        <extracomment>The scopes of a client, with descriptions.</extracomment>
        <translation>Modelle fragen; mit dem Gedächtnis eines Agenten nur, wo es dieses auch lesen darf.</translation>
    </message>
    <message>
        <source>Read facts, episodes and transcripts.</source>
        <translation>Fakten, Episoden und Wortlaut lesen.</translation>
    </message>
    <message>
        <source>Record conversations; add, change and forget facts.</source>
        <translation>Gespräche aufzeichnen; Fakten anlegen, ändern und vergessen.</translation>
    </message>
    <message>
        <source>Also what is kept for models on this machine: its own model is here.</source>
        <translation>Auch, was für Modelle auf diesem Rechner behalten wird: das eigene Modell ist hier.</translation>
    </message>
    <message>
        <source>Settings, agents, tokens, backups and imports; the rights above only if they are ticked too.</source>
        <translation>Einstellungen, Agenten, Token, Sicherungen und Importe; was darüber steht, nur wo es ebenfalls angekreuzt ist.</translation>
    </message>
</context>
<context>
    <name>services</name>
    <message>
        <source>The model gave no usable answer</source>
        <translation>Das Modell gab keine brauchbare Antwort</translation>
    </message>
    <message>
        <source>A larger model follows the format more reliably.</source>
        <translation>Ein größeres Modell hält sich verlässlicher an das Format.</translation>
    </message>
    <message>
        <source>A bundled model is damaged</source>
        <translation>Ein mitgeliefertes Modell ist beschädigt</translation>
    </message>
    <message>
        <source>Install memdesk again to restore its models.</source>
        <translation>Installiere memdesk neu, um seine Modelle wiederherzustellen.</translation>
    </message>
    <message>
        <source>Not a usable model file</source>
        <translation>Keine brauchbare Modelldatei</translation>
    </message>
    <message>
        <source>Download the file again; a download that was cut off looks like this.</source>
        <translation>Lade die Datei noch einmal herunter; so sieht ein abgebrochener Download aus.</translation>
    </message>
    <message>
        <source>The download is damaged</source>
        <translation>Das Heruntergeladene ist beschädigt</translation>
    </message>
    <message>
        <source>Download it again.</source>
        <translation>Lade sie noch einmal herunter.</translation>
    </message>
    <message>
        <source>The system&apos;s keyring does not answer</source>
        <translation>Der Schlüsselbund des Systems antwortet nicht</translation>
    </message>
    <message>
        <source>Unlock it (usually by logging in), or enter your recovery code instead.</source>
        <translation>Entsperre ihn (meist durch Anmelden), oder gib stattdessen deinen Wiederherstellungscode ein.</translation>
    </message>
    <message>
        <source>The model server does not answer</source>
        <translation>Der Modellserver antwortet nicht</translation>
    </message>
    <message>
        <source>The model server refuses the key</source>
        <translation>Der Modellserver weist den Schlüssel zurück</translation>
    </message>
    <message>
        <source>Enter its key again under Models.</source>
        <translation>Gib seinen Schlüssel unter Modelle neu ein.</translation>
    </message>
    <message>
        <source>The model server is busy</source>
        <translation>Der Modellserver ist beschäftigt</translation>
    </message>
    <message>
        <source>Wait a little, then try again.</source>
        <translation>Warte ein wenig und versuche es noch einmal.</translation>
    </message>
    <message>
        <source>Something went wrong</source>
        <translation>Etwas ist schiefgegangen</translation>
    </message>
    <message>
        <source>Your system refused</source>
        <translation>Dein System hat das verweigert</translation>
    </message>
    <message>
        <source>That input cannot be used</source>
        <translation>Diese Eingabe ist nicht brauchbar</translation>
    </message>
    <message>
        <source>Not found</source>
        <translation>Nicht gefunden</translation>
    </message>
    <message>
        <source>That conflicts with the present state</source>
        <translation>Das passt nicht zum jetzigen Zustand</translation>
    </message>
    <message>
        <source>memdesk is locked</source>
        <translation>memdesk ist gesperrt</translation>
    </message>
    <message>
        <source>Unlock memdesk in its window, then try again.</source>
        <translation>Entsperre memdesk in seinem Fenster und versuche es noch einmal.</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>Angehalten</translation>
    </message>
    <message>
        <source>No model</source>
        <translation>Kein Modell</translation>
    </message>
    <message>
        <source>Choose a model under Models, or set coreModel in the memory settings.</source>
        <translation>Wähle ein Modell unter Modelle oder ein Kernmodell in den Einstellungen des Gedächtnisses.</translation>
    </message>
    <message>
        <source>Too long for this model</source>
        <translation>Zu lang für dieses Modell</translation>
    </message>
    <message>
        <source>Shorten the conversation, or choose a model with a larger context.</source>
        <translation>Kürze das Gespräch, oder wähle ein Modell mit größerem Kontext.</translation>
    </message>
    <message>
        <source>The model engine failed</source>
        <translation>Die Modell-Engine ist ausgefallen</translation>
    </message>
    <message>
        <source>The model engine stopped unexpectedly</source>
        <translation>Die Modell-Engine ist unerwartet stehen geblieben</translation>
    </message>
    <message>
        <source>The model engine did not answer</source>
        <translation>Die Modell-Engine hat nicht geantwortet</translation>
    </message>
    <message>
        <source>Start at login could not be changed</source>
        <translation>Der Start beim Anmelden ließ sich nicht ändern</translation>
    </message>
    <message>
        <source>memdesk is already running</source>
        <translation>memdesk läuft schon</translation>
    </message>
    <message>
        <source>Use its window, or quit it first.</source>
        <translation>Benutze sein Fenster oder beende es zuerst.</translation>
    </message>
    <message>
        <source>That file cannot be imported</source>
        <translation>Diese Datei lässt sich nicht importieren</translation>
    </message>
    <message>
        <source>The backup failed</source>
        <translation>Die Sicherung ist fehlgeschlagen</translation>
    </message>
    <message>
        <source>That backup cannot be used</source>
        <translation>Diese Sicherung ist nicht brauchbar</translation>
    </message>
    <message>
        <source>No such model</source>
        <translation>Kein solches Modell</translation>
    </message>
    <message>
        <source>A settings file cannot be used</source>
        <translation>Eine Einstellungsdatei ist nicht brauchbar</translation>
    </message>
    <message>
        <source>That value is not allowed</source>
        <translation>Dieser Wert ist nicht erlaubt</translation>
    </message>
    <message>
        <source>The memory cannot be read or written</source>
        <translation>Das Gedächtnis lässt sich nicht lesen oder schreiben</translation>
    </message>
    <message>
        <source>Restart memdesk. If it happens again, restore a backup under Settings, Privacy.</source>
        <translation>Starte memdesk neu. Passiert es wieder, stelle unter Einstellungen, Privatsphäre eine Sicherung wieder her.</translation>
    </message>
    <message>
        <source>Idle; they start when needed.</source>
        <translation>Ruhen; sie starten bei Bedarf.</translation>
    </message>
    <message>
        <source>A part of memdesk is not installed</source>
        <translation>Ein Teil von memdesk ist nicht installiert</translation>
    </message>
    <message>
        <source>Too many requests</source>
        <translation>Zu viele Anfragen</translation>
    </message>
    <message>
        <source>It comes with: pip install &quot;memdesk[{extra}]&quot;</source>
        <translation>Er kommt mit: pip install &quot;memdesk[{extra}]&quot;</translation>
    </message>
    <message>
        <source>{port} is not a port.</source>
        <translation>{port} ist kein Port.</translation>
    </message>
    <message>
        <source>Ports go from 0 to 65535.</source>
        <translation>Ports gehen von 0 bis 65535.</translation>
    </message>
    <message>
        <source>The log of the memory was damaged and could not be read whole. It is kept as {name}.</source>
        <translation>Das Protokoll des Gedächtnisses war beschädigt und konnte nicht ganz gelesen werden. Es liegt als {name} daneben.</translation>
    </message>
    <message>
        <source>Everything can be read and backed up to another disk, but nothing new is saved.</source>
        <translation>Alles kann gelesen und auf einen anderen Datenträger gesichert werden, aber nichts Neues wird behalten.</translation>
    </message>
    <message>
        <source>Free some space, or forget something here: room is kept for that.</source>
        <translation>Schaffe Platz, oder vergiss hier etwas: dafür ist Platz zurückgelegt.</translation>
    </message>
    <message>
        <source>New messages are saved again.</source>
        <translation>Was du sagst, wird wieder behalten.</translation>
    </message>
    <message>
        <source>nearly the same words ({likeness} of them shared)</source>
        <translation>fast dieselben Wörter ({likeness} davon gemeinsam)</translation>
    </message>
    <message>
        <source>says the same as an older fact ({likeness} of the words shared)</source>
        <translation>sagt dasselbe wie ein älterer Fakt ({likeness} der Wörter gemeinsam)</translation>
    </message>
    <message>
        <source>says something else</source>
        <translation>sagt etwas anderes</translation>
    </message>
    <message>
        <source>said before</source>
        <translation>schon gesagt</translation>
    </message>
    <message>
        <source>a later statement gives another value</source>
        <translation>eine spätere Aussage gibt einen anderen Wert</translation>
    </message>
    <message>
        <source>a later statement names another in its place</source>
        <translation>eine spätere Aussage nennt etwas anderes an seiner Stelle</translation>
    </message>
    <message>
        <source>it was moved or changed later</source>
        <translation>es wurde später verlegt oder geändert</translation>
    </message>
    <message>
        <source>said to have ended</source>
        <translation>soll vorbei sein</translation>
    </message>
    <message>
        <source>said not to be so</source>
        <translation>soll nicht so sein</translation>
    </message>
    <message>
        <source>said to be so after all</source>
        <translation>soll doch so sein</translation>
    </message>
    <message>
        <source>they have died</source>
        <translation>sie sind gestorben</translation>
    </message>
    <message>
        <source>part of it has changed; both are kept</source>
        <translation>ein Teil davon hat sich geändert; beide bleiben</translation>
    </message>
    <message>
        <source>looks opposed to another fact, without proof; both are kept</source>
        <translation>scheint einem anderen Fakt zu widersprechen, ohne Beleg; beide bleiben</translation>
    </message>
    <message>
        <source>what it rests on has changed; does it still hold?</source>
        <translation>worauf es beruht, hat sich geändert; gilt es noch?</translation>
    </message>
    <message>
        <source>said before in the same words</source>
        <translation>schon in denselben Worten gesagt</translation>
    </message>
    <message>
        <source>the model took it for known, but it does not say the same of the same thing</source>
        <translation>das Modell hielt es für bekannt, aber es sagt nicht dasselbe von derselben Sache</translation>
    </message>
    <message>
        <source>it is nested too deeply</source>
        <translation>es ist zu tief verschachtelt</translation>
    </message>
    <message>
        <source>it is larger than {most} bytes</source>
        <translation>es ist größer als {most} Bytes</translation>
    </message>
    <message>
        <source>it is not JSON</source>
        <translation>es ist kein JSON</translation>
    </message>
    <message>
        <source>it holds a number that never ends</source>
        <translation>es enthält eine Zahl ohne Ende</translation>
    </message>
    <message>
        <source>The model server failed</source>
        <translation>Der Modellserver hat versagt</translation>
    </message>
    <message>
        <source>Try again. If it keeps failing, look at the server, or choose another model.</source>
        <translation>Versuche es noch einmal. Bleibt es so, sieh nach dem Server oder nimm ein anderes Modell.</translation>
    </message>
    <message>
        <source>The answer of {name} does not end.</source>
        <translation>Die Antwort von {name} endet nicht.</translation>
    </message>
    <message>
        <source>{name} sent something that cannot be read: {error}.</source>
        <translation>{name} hat etwas gesendet, das nicht lesbar ist: {error}.</translation>
    </message>
    <message>
        <source>The answer of {name} could not be read.</source>
        <translation>Die Antwort von {name} war nicht lesbar.</translation>
    </message>
    <message>
        <source>An agent&apos;s text fields must be strings, and its switches true or false.</source>
        <translation>Die Texte eines Agenten sind Texte, und seine Schalter sind wahr oder falsch.</translation>
    </message>
    <message>
        <source>Nothing comes before that message: begin a new chat with it.</source>
        <translation>Vor dieser Nachricht kommt nichts: Beginne mit ihr einen neuen Chat.</translation>
    </message>
    <message>
        <source>No message has the role “user”, or no agent is named.</source>
        <translation>Keine der Nachrichten hat die Rolle „user“, oder es ist kein Agent genannt.</translation>
    </message>
    <message>
        <source>{name} holds no text.</source>
        <translation>{name} enthält keinen Text.</translation>
    </message>
    <message>
        <source>Run text recognition (OCR) on the scan first.</source>
        <translation>Ein Scan muss erst durch eine Texterkennung.</translation>
    </message>
    <message>
        <source>{name} has more than 4 million characters.</source>
        <translation>{name} hat mehr als 4 Millionen Zeichen.</translation>
    </message>
    <message>
        <source>{name} is not text.</source>
        <translation>{name} ist kein Text.</translation>
    </message>
    <message>
        <source>{name} is larger than 50 MB.</source>
        <translation>{name} ist größer als 50 MB.</translation>
    </message>
    <message>
        <source>{name} is protected by a password.</source>
        <translation>{name} ist mit einem Passwort geschützt.</translation>
    </message>
    <message>
        <source>Save it without one, then attach it.</source>
        <translation>Speichere es ohne Passwort und hänge es dann an.</translation>
    </message>
    <message>
        <source>{name} is damaged: its pages cannot be read.</source>
        <translation>{name} ist beschädigt: Seine Seiten sind nicht lesbar.</translation>
    </message>
    <message>
        <source>{name} is not a Word document that can be read.</source>
        <translation>{name} ist kein lesbares Word-Dokument.</translation>
    </message>
    <message>
        <source>1 statement stays: another conversation says the same.</source>
        <translation>1 Aussage bleibt: ein anderes Gespräch sagt dasselbe.</translation>
    </message>
    <message>
        <source>Choose another folder, preferably on another disk.</source>
        <translation>Wähle einen anderen Ordner, am besten auf einer anderen Platte.</translation>
    </message>
    <message>
        <source>There is no such {kind}.</source>
        <translation>Das gibt es nicht: {kind}.</translation>
    </message>
    <message>
        <source>{folder} cannot be made: {failed}.</source>
        <translation>{folder} lässt sich nicht anlegen: {failed}.</translation>
    </message>
    <message>
        <source>The agent is empty.</source>
        <translation>Der Agent ist leer.</translation>
    </message>
    <message>
        <source>{path} is neither a file nor a folder.</source>
        <translation>{path} ist weder eine Datei noch ein Ordner.</translation>
    </message>
    <message>
        <source>That path cannot be read: {words}.</source>
        <translation>Dieser Pfad ist nicht lesbar: {words}.</translation>
    </message>
    <message>
        <source>Choose the folder of the chats.</source>
        <translation>Wähle den Ordner der Chats.</translation>
    </message>
    <message>
        <source>It is a link or a special file, and is not followed.</source>
        <translation>Das ist eine Verknüpfung oder keine gewöhnliche Datei; ihr wird nicht gefolgt.</translation>
    </message>
    <message>
        <source>A date lies beyond the calendar.</source>
        <translation>Ein Datum liegt jenseits des Kalenders.</translation>
    </message>
    <message>
        <source>The context can be set only for models on a server.</source>
        <translation>Nur ein Modell eines Servers hat einen eigenen Kontext.</translation>
    </message>
    <message>
        <source>A context must have 512 to 16,777,216 tokens.</source>
        <translation>Ein Kontext hat 512 bis 16.777.216 Tokens.</translation>
    </message>
    <message>
        <source>{relative} changed while it was read.</source>
        <translation>{relative} ändert sich, während es gelesen wird.</translation>
    </message>
    <message>
        <source>It is read again once it stops changing.</source>
        <translation>Es wird neu gelesen, sobald es ruht.</translation>
    </message>
    <message>
        <source>There is no folder {path}.</source>
        <translation>Es gibt keinen Ordner {path}.</translation>
    </message>
    <message>
        <source>It may be on a disk that is not connected.</source>
        <translation>Vielleicht liegt er auf einem Datenträger, der gerade nicht da ist.</translation>
    </message>
    <message>
        <source>{relative} leads out of the folder.</source>
        <translation>{relative} führt aus dem Ordner hinaus.</translation>
    </message>
    <message>
        <source>Add the folder that it is in.</source>
        <translation>Füge den Ordner hinzu, in dem es liegt.</translation>
    </message>
    <message>
        <source>There is no file {relative}.</source>
        <translation>Es gibt keine Datei {relative}.</translation>
    </message>
    <message>
        <source>{name} is not a file.</source>
        <translation>{name} ist keine Datei.</translation>
    </message>
    <message>
        <source>There is no such folder of notes.</source>
        <translation>Diesen Notizordner gibt es nicht.</translation>
    </message>
    <message>
        <source>{path} is in no folder of notes.</source>
        <translation>{path} liegt in keinem Notizordner.</translation>
    </message>
    <message>
        <source>{path} is not an absolute path.</source>
        <translation>{path} ist kein vollständiger Pfad.</translation>
    </message>
    <message>
        <source>Give the folder&apos;s full path.</source>
        <translation>Nenne den Ordner vom Anfang an.</translation>
    </message>
    <message>
        <source>{given} is remembered already.</source>
        <translation>{given} wird schon gemerkt.</translation>
    </message>
    <message>
        <source>There is no file {path}.</source>
        <translation>Es gibt keine Datei {path}.</translation>
    </message>
    <message>
        <source>That version is no longer there.</source>
        <translation>Diese Fassung gibt es nicht mehr.</translation>
    </message>
    <message>
        <source>Entity with name {name} not found</source>
        <translation>Nichts heißt {name}</translation>
    </message>
    <message>
        <source>There is no such detail.</source>
        <translation>Dieses Detail gibt es nicht.</translation>
    </message>
    <message>
        <source>There is no such memory.</source>
        <translation>Diese Erinnerung gibt es nicht.</translation>
    </message>
    <message>
        <source>memory_search finds ids.</source>
        <translation>memory_search findet Kennungen.</translation>
    </message>
    <message>
        <source>The clock went from {seen} to {now}. If that is right, start a pass yourself.</source>
        <translation>Die Uhr sprang von {seen} auf {now}. Wenn das stimmt, starte selbst einen Durchgang.</translation>
    </message>
    <message>
        <source>Up to date.</source>
        <translation>Aktuell.</translation>
    </message>
    <message>
        <source>Off: search uses words only.</source>
        <translation>Aus: die Suche geht nur nach Wörtern.</translation>
    </message>
    <message>
        <source>Nothing waits.</source>
        <translation>Nichts wartet.</translation>
    </message>
    <message>
        <source>{profile} is not a valid name for a profile.</source>
        <translation>{profile} ist kein Name eines Profils.</translation>
    </message>
    <message>
        <source>Use letters, digits, spaces and - _ . inside; a path is not allowed.</source>
        <translation>Er hat Buchstaben, Ziffern, Leerzeichen und innen - _ . und ist kein Pfad.</translation>
    </message>
    <message>
        <source>Anyone can write to {folder}.</source>
        <translation>In {folder} darf jeder schreiben.</translation>
    </message>
    <message>
        <source>chmod 700 {folder}</source>
        <translation>chmod 700 {folder}</translation>
    </message>
    <message>
        <source>Put it back, or restore a backup. To begin with an empty memory, move vault.json away first.</source>
        <translation>Lege sie zurück, oder stelle eine Sicherung wieder her. Um mit leerem Gedächtnis zu beginnen, verschiebe zuerst vault.json.</translation>
    </message>
    <message>
        <source>The copy under the new key is not whole; nothing was changed.</source>
        <translation>Die Kopie unter dem neuen Schlüssel ist nicht vollständig; nichts wurde geändert.</translation>
    </message>
    <message>
        <source>Restore a snapshot or a backup, or read what is left of it: memdesk salvage. Keep the damaged file until then.</source>
        <translation>Stelle einen Schnappschuss oder eine Sicherung wieder her, oder lies, was davon übrig ist: memdesk salvage. Bewahre die beschädigte Datei so lange auf.</translation>
    </message>
    <message>
        <source>Choose a passphrase for the memory: in the window, at a terminal, or with --passphrase-file FILE (packaging/bootstrap.py passes on what follows --). Or start a keyring (Secret Service, KWallet) first.</source>
        <translation>Wähle eine Passphrase für das Gedächtnis: im Fenster, an einem Terminal oder mit --passphrase-file DATEI (packaging/bootstrap.py reicht weiter, was nach -- steht). Oder starte zuerst einen Schlüsselbund (Secret Service, KWallet).</translation>
    </message>
    <message>
        <source>Enter the passphrase, or name what holds it with --passphrase-env or --passphrase-file.</source>
        <translation>Gib die Passphrase ein, oder nenne mit --passphrase-env oder --passphrase-file, worin sie steht.</translation>
    </message>
    <message>
        <source>{path} cannot be used: {error}.</source>
        <translation>{path} kann nicht benutzt werden: {error}.</translation>
    </message>
    <message>
        <source>The database reported: {error}.</source>
        <translation>Die Datenbank meldet: {error}.</translation>
    </message>
    <message>
        <source>There is no room left to write {name}.</source>
        <translation>Für {name} ist kein Platz mehr.</translation>
    </message>
    <message>
        <source>What was said in them is stored and can be searched; nothing new is remembered from it.</source>
        <translation>Was darin gesagt wurde, ist gespeichert und lässt sich durchsuchen; Neues wird daraus nicht gemerkt.</translation>
    </message>
    <message>
        <source>{path} cannot be written: {strerror}.</source>
        <translation>{path} kann nicht geschrieben werden: {strerror}.</translation>
    </message>
    <message>
        <source>{path} cannot be written.</source>
        <translation>{path} kann nicht geschrieben werden.</translation>
    </message>
    <message>
        <source>A part of {path} does not decrypt to what was written.</source>
        <translation>Ein Teil von {path} lässt sich nicht zu dem entschlüsseln, was geschrieben wurde.</translation>
    </message>
    <message>
        <source>{name} did not become free in time.</source>
        <translation>{name} wurde nicht rechtzeitig frei.</translation>
    </message>
    <message>
        <source>memdesk was locked while this was running.</source>
        <translation>memdesk wurde gesperrt, während das lief.</translation>
    </message>
    <message>
        <source>The database refused a row: {error}.</source>
        <translation>Die Datenbank hat eine Zeile abgelehnt: {error}.</translation>
    </message>
    <message>
        <source>{path} cannot be opened for writing.</source>
        <translation>{path} kann nicht zum Schreiben geöffnet werden.</translation>
    </message>
    <message>
        <source>The cursor belongs to a list with another order.</source>
        <translation>Die Seitenmarke gehört zu einer anders sortierten Liste.</translation>
    </message>
    <message>
        <source>The cursor is not one that memdesk gave out.</source>
        <translation>Diese Seitenmarke stammt nicht von memdesk.</translation>
    </message>
    <message>
        <source>{path} is a text file, not an encrypted memory.</source>
        <translation>{path} ist eine Textdatei, kein verschlüsseltes Gedächtnis.</translation>
    </message>
    <message>
        <source>The key of this vault does not open {path}.</source>
        <translation>Der Schlüssel dieses Tresors öffnet {path} nicht.</translation>
    </message>
    <message>
        <source>The folder {parent} cannot be written.</source>
        <translation>In den Ordner {parent} kann nicht geschrieben werden.</translation>
    </message>
    <message>
        <source>{path} is missing, but its write-ahead log {name} is there.</source>
        <translation>{path} fehlt, aber das Schreibprotokoll {name} ist da.</translation>
    </message>
    <message>
        <source>{path} is a plain SQLite database, not an encrypted memory.</source>
        <translation>{path} ist eine unverschlüsselte SQLite-Datenbank, kein verschlüsseltes Gedächtnis.</translation>
    </message>
    <message>
        <source>{path} is empty; memdesk never leaves an empty file.</source>
        <translation>{path} ist leer; memdesk hinterlässt nie eine leere Datei.</translation>
    </message>
    <message>
        <source>{path} is not an encrypted memory of memdesk.</source>
        <translation>{path} ist kein verschlüsseltes Gedächtnis von memdesk.</translation>
    </message>
    <message>
        <source>{path} has schema {found}; this memdesk knows up to {schema}.</source>
        <translation>{path} hat das Schema {found}; dieses memdesk kennt höchstens {schema}.</translation>
    </message>
    <message>
        <source>{path} is cut off after {size} bytes.</source>
        <translation>{path} ist nach {size} Bytes abgeschnitten.</translation>
    </message>
    <message>
        <source>The first page of {path} was altered; later ones are intact.</source>
        <translation>Die erste Seite von {path} wurde verändert; die übrigen sind heil.</translation>
    </message>
    <message>
        <source>The disk is full: the memory can be read, but nothing new is saved.</source>
        <translation>Der Datenträger ist voll: Das Gedächtnis kann gelesen werden, aber nichts Neues wird behalten.</translation>
    </message>
    <message>
        <source>Free some space, or forget something here: room is kept for that. What was saved before is safe.</source>
        <translation>Schaffe Platz, oder vergiss hier etwas: dafür ist Platz zurückgelegt. Was schon gespeichert war, ist sicher.</translation>
    </message>
    <message>
        <source>Nothing in {path} can be read.</source>
        <translation>Von {path} kann nichts gelesen werden.</translation>
    </message>
    <message>
        <source>Restore a snapshot or a backup.</source>
        <translation>Stelle einen Schnappschuss oder eine Sicherung wieder her.</translation>
    </message>
    <message>
        <source>{path} has schema {schema}; this memdesk knows up to {latest}.</source>
        <translation>{path} hat Schema {schema}; dieses memdesk kennt bis {latest}.</translation>
    </message>
    <message>
        <source>Page {number} of the database was altered.</source>
        <translation>Seite {number} der Datenbank wurde verändert.</translation>
    </message>
    <message>
        <source>The keyring holds no key for this memory.</source>
        <translation>Der Schlüsselbund enthält keinen Schlüssel für dieses Gedächtnis.</translation>
    </message>
    <message>
        <source>The keyring holds another key.</source>
        <translation>Der Schlüsselbund enthält einen anderen Schlüssel.</translation>
    </message>
    <message>
        <source>The code is well-formed, but opens another vault.</source>
        <translation>Der Code ist richtig gebildet, öffnet aber einen anderen Tresor.</translation>
    </message>
    <message>
        <source>An empty passphrase protects nothing.</source>
        <translation>Eine leere Passphrase schützt nichts.</translation>
    </message>
    <message>
        <source>Choose a longer one.</source>
        <translation>Wähle eine längere.</translation>
    </message>
    <message>
        <source>{database} is there, but {name} is not.</source>
        <translation>{database} ist da, {name} aber nicht.</translation>
    </message>
    <message>
        <source>That is not a recovery code.</source>
        <translation>Das ist kein Wiederherstellungscode.</translation>
    </message>
    <message>
        <source>Ask for a new one.</source>
        <translation>Lass dir einen neuen geben.</translation>
    </message>
    <message>
        <source>vault.json holds a change of keys that does not fit its keys.</source>
        <translation>vault.json enthält einen Schlüsselwechsel, der nicht zu seinen Schlüsseln passt.</translation>
    </message>
    <message>
        <source>This system has no keyring, so the passphrase must stay.</source>
        <translation>Dieses System hat keinen Schlüsselbund, darum muss die Passphrase bleiben.</translation>
    </message>
    <message>
        <source>This vault opens with its passphrase here.</source>
        <translation>Dieser Tresor öffnet sich hier mit seiner Passphrase.</translation>
    </message>
    <message>
        <source>The code&apos;s checksum does not match what was typed.</source>
        <translation>Die Prüfsumme des Codes passt nicht zu dem, was eingegeben wurde.</translation>
    </message>
    <message>
        <source>This vault has no recovery code.</source>
        <translation>Dieser Tresor hat keinen Wiederherstellungscode.</translation>
    </message>
    <message>
        <source>This vault has no passphrase; use the recovery code.</source>
        <translation>Dieser Tresor hat keine Passphrase; nimm den Wiederherstellungscode.</translation>
    </message>
    <message>
        <source>The passphrase does not open this vault.</source>
        <translation>Die Passphrase öffnet diesen Tresor nicht.</translation>
    </message>
    <message>
        <source>vault.json holds a key that is not the one it names.</source>
        <translation>vault.json enthält einen anderen Schlüssel als den, den sie nennt.</translation>
    </message>
    <message>
        <source>vault.json has format {format}; this memdesk knows {value}.</source>
        <translation>vault.json hat das Format {format}; dieses memdesk kennt {value}.</translation>
    </message>
    <message>
        <source>vault.json was altered: its checksum does not match.</source>
        <translation>vault.json wurde verändert: die Prüfsumme passt nicht.</translation>
    </message>
    <message>
        <source>vault.json is not what memdesk wrote.</source>
        <translation>vault.json ist nicht, was memdesk geschrieben hat.</translation>
    </message>
    <message>
        <source>{path} exists.</source>
        <translation>{path} gibt es schon.</translation>
    </message>
    <message>
        <source>This system has no keyring to keep the key in.</source>
        <translation>Dieses System hat keinen Schlüsselbund für den Schlüssel.</translation>
    </message>
    <message>
        <source>The keyring did not keep the key.</source>
        <translation>Der Schlüsselbund hat den Schlüssel nicht behalten.</translation>
    </message>
    <message>
        <source>That key is not this vault&apos;s.</source>
        <translation>Dieser Schlüssel gehört nicht zu diesem Tresor.</translation>
    </message>
    <message>
        <source>This system has no keyring, so a passphrase must open the memory.</source>
        <translation>Dieses System hat keinen Schlüsselbund; eine Passphrase muss das Gedächtnis öffnen.</translation>
    </message>
    <message>
        <source>There is no vault yet.</source>
        <translation>Es gibt noch keinen Tresor.</translation>
    </message>
    <message>
        <source>memdesk was locked before this could be saved.</source>
        <translation>memdesk wurde gesperrt, ehe das gespeichert werden konnte.</translation>
    </message>
    <message>
        <source>This model passed the self-test: it writes the digests of your conversations, and every line is checked.</source>
        <translation>Dieses Modell hat den Selbsttest bestanden: es schreibt die Zusammenfassungen deiner Gespräche, und jede Zeile wird geprüft.</translation>
    </message>
    <message>
        <source>This model did not pass the self-test, so it only chooses among statements that memdesk found in your own words; it cannot invent any. A model of 3 billion parameters or more usually passes; it would join what belongs together, word decisions and open tasks, and summarize in its own words.</source>
        <translation>Dieses Modell hat den Selbsttest nicht bestanden, deshalb wählt es nur unter Aussagen, die memdesk in deinen eigenen Worten gefunden hat; erfinden kann es keine. Ein Modell mit 3 Milliarden Parametern oder mehr besteht meist; es führt zusammen, was zusammengehört, formuliert Entscheidungen und offene Aufgaben und fasst in eigenen Worten zusammen.</translation>
    </message>
    <message>
        <source>Wrong key</source>
        <translation>Falscher Schlüssel</translation>
    </message>
    <message>
        <source>Port {port} on {host} is in use{more}.</source>
        <translation>Port {port} auf {host} ist belegt{more}.</translation>
    </message>
    <message>
        <source>The list changed meanwhile.</source>
        <translation>Die Liste hat sich inzwischen geändert.</translation>
    </message>
    <message>
        <source>Choose again.</source>
        <translation>Wähle noch einmal.</translation>
    </message>
    <message>
        <source>The file could not be written: {strerror}.</source>
        <translation>Die Datei konnte nicht geschrieben werden: {strerror}.</translation>
    </message>
    <message>
        <source>The file could not be read: {strerror}.</source>
        <translation>Die Datei konnte nicht gelesen werden: {strerror}.</translation>
    </message>
    <message>
        <source>It should be a JSON file.</source>
        <translation>Es sollte eine JSON-Datei sein.</translation>
    </message>
    <message>
        <source>Cut it to the part that matters.</source>
        <translation>Kürze sie auf den Teil, auf den es ankommt.</translation>
    </message>
    <message>
        <source>{name} could not be read: {strerror}.</source>
        <translation>{name} konnte nicht gelesen werden: {strerror}.</translation>
    </message>
    <message>
        <source>{days} days since it was last decayed: times exp(-{days_}/{value})</source>
        <translation>{days} Tage seit dem letzten Verblassen: mal exp(-{days_}/{value})</translation>
    </message>
    <message>
        <source>Check that your last conversations are there; if not: memdesk salvage --of {name}</source>
        <translation>Sieh nach, ob deine letzten Gespräche da sind; wenn nicht: memdesk salvage --of {name}</translation>
    </message>
    <message>
        <source>salience {salience} is below the floor {floor} and it rested for {rested} days</source>
        <translation>Gewicht {salience} liegt unter dem Mindestgewicht {floor}, und {rested} Tage ohne Gebrauch</translation>
    </message>
    <message>
        <source>{days} days old; episodes are kept for {retention_days}</source>
        <translation>{days} Tage alt; Episoden bleiben {retention_days} Tage</translation>
    </message>
    <message>
        <source>you pinned it</source>
        <translation>du hast ihn angeheftet</translation>
    </message>
    <message>
        <source>you wrote it</source>
        <translation>du hast ihn geschrieben</translation>
    </message>
    <message>
        <source>it was said later</source>
        <translation>er wurde später gesagt</translation>
    </message>
    <message>
        <source>judged by the model: {reason}</source>
        <translation>vom Modell entschieden: {reason}</translation>
    </message>
    <message>
        <source>judged by the model</source>
        <translation>vom Modell entschieden</translation>
    </message>
    <message>
        <source>the model would end this fact, but {why_not}; both are kept</source>
        <translation>das Modell würde diesen Fakt beenden, aber {why_not}; beide bleiben</translation>
    </message>
    <message>
        <source>The model&apos;s answer holds no JSON.</source>
        <translation>Die Antwort des Modells enthält kein JSON.</translation>
    </message>
    <message>
        <source>{name} is not installed.</source>
        <translation>{name} ist nicht installiert.</translation>
    </message>
    <message>
        <source>The weights of {name} are not the published ones.</source>
        <translation>Die Gewichte von {name} sind nicht die veröffentlichten.</translation>
    </message>
    <message>
        <source>It is not a model that can chat.</source>
        <translation>Es ist kein Modell, das chatten kann.</translation>
    </message>
    <message>
        <source>No model is set.</source>
        <translation>Es ist kein Modell gewählt.</translation>
    </message>
    <message>
        <source>There is no model {model_id} here.</source>
        <translation>Hier gibt es kein Modell {model_id}.</translation>
    </message>
    <message>
        <source>{name} cannot be used: {problem}</source>
        <translation>{name} kann nicht benutzt werden: {problem}</translation>
    </message>
    <message>
        <source>{target} holds no model that can chat.</source>
        <translation>{target} enthält kein Modell, das chatten kann.</translation>
    </message>
    <message>
        <source>{target} is not there.</source>
        <translation>{target} ist nicht da.</translation>
    </message>
    <message>
        <source>{folder} does not say how long its vectors are.</source>
        <translation>{folder} sagt nicht, wie lang seine Vektoren sind.</translation>
    </message>
    <message>
        <source>Choose a sentence-transformers folder.</source>
        <translation>Wähle einen Ordner von sentence-transformers.</translation>
    </message>
    <message>
        <source>{folder} holds no embedding model.</source>
        <translation>{folder} enthält kein Einbettungsmodell.</translation>
    </message>
    <message>
        <source>The embedding model made vectors of {get} numbers, not {dim}.</source>
        <translation>Das Einbettungsmodell hat Vektoren mit {get} Zahlen gemacht, nicht mit {dim}.</translation>
    </message>
    <message>
        <source>{path} cannot be read.</source>
        <translation>{path} kann nicht gelesen werden.</translation>
    </message>
    <message>
        <source>Unknown operation {op}.</source>
        <translation>Unbekannte Operation {op}.</translation>
    </message>
    <message>
        <source>This folder cannot be loaded as an embedding model: {error}</source>
        <translation>Dieser Ordner lässt sich nicht als Einbettungsmodell laden: {error}</translation>
    </message>
    <message>
        <source>Choose the folder that holds modules.json or config.json of a sentence-transformers model.</source>
        <translation>Wähle den Ordner, in dem modules.json oder config.json eines Modells von sentence-transformers liegt.</translation>
    </message>
    <message>
        <source>{name} cannot be read: {strerror}.</source>
        <translation>{name} kann nicht gelesen werden: {strerror}.</translation>
    </message>
    <message>
        <source>{name} is too short to be a model.</source>
        <translation>{name} ist zu kurz für ein Modell.</translation>
    </message>
    <message>
        <source>{name} holds a value of unknown type {kind}.</source>
        <translation>{name} enthält einen Wert unbekannter Art ({kind}).</translation>
    </message>
    <message>
        <source>{name} ends in the middle of its header.</source>
        <translation>{name} endet mitten im Kopf der Datei.</translation>
    </message>
    <message>
        <source>{name} is not a GGUF file.</source>
        <translation>{name} ist keine GGUF-Datei.</translation>
    </message>
    <message>
        <source>{name} has GGUF version {version}, which is not known here.</source>
        <translation>{name} hat die GGUF-Version {version}, die hier nicht bekannt ist.</translation>
    </message>
    <message>
        <source>{name} has a damaged header.</source>
        <translation>{name} hat einen beschädigten Kopf.</translation>
    </message>
    <message>
        <source>Expected vectors of shape {value}, not {shape}.</source>
        <translation>Erwartet wurden Vektoren der Form {value}, nicht {shape}.</translation>
    </message>
    <message>
        <source>The index snapshot is of another version or dimension.</source>
        <translation>Das Abbild des Index hat eine andere Version oder Dimension.</translation>
    </message>
    <message>
        <source>The index snapshot is damaged.</source>
        <translation>Das Abbild des Index ist beschädigt.</translation>
    </message>
    <message>
        <source>The index snapshot uses other directions.</source>
        <translation>Das Abbild des Index gehört zu anderen Richtungen.</translation>
    </message>
    <message>
        <source>The hub redirects in circles.</source>
        <translation>Der Modell-Hub leitet im Kreis weiter.</translation>
    </message>
    <message>
        <source>{filename} is not a file of a repository.</source>
        <translation>{filename} ist keine Datei eines Repositorys.</translation>
    </message>
    <message>
        <source>{repo} is not a repository.</source>
        <translation>{repo} ist kein Repository.</translation>
    </message>
    <message>
        <source>It should look like owner/name.</source>
        <translation>Es sieht aus wie Besitzer/Name.</translation>
    </message>
    <message>
        <source>The hub&apos;s answer makes no sense.</source>
        <translation>Die Antwort des Modell-Hubs ergibt keinen Sinn.</translation>
    </message>
    <message>
        <source>The hub has no {what}.</source>
        <translation>Der Modell-Hub hat kein {what}.</translation>
    </message>
    <message>
        <source>Check the names of repository and file.</source>
        <translation>Prüfe die Namen von Repository und Datei.</translation>
    </message>
    <message>
        <source>The hub asks for permission for {what}.</source>
        <translation>Der Modell-Hub verlangt eine Erlaubnis für {what}.</translation>
    </message>
    <message>
        <source>Choose a model that is open to all.</source>
        <translation>Wähle ein Modell, das allen offensteht.</translation>
    </message>
    <message>
        <source>The download needs {size}; {size_} are free.</source>
        <translation>Der Download braucht {size}; frei sind {size_}.</translation>
    </message>
    <message>
        <source>Make room, or choose a smaller file.</source>
        <translation>Schaffe Platz, oder wähle eine kleinere Datei.</translation>
    </message>
    <message>
        <source>{name} is not what the hub announced.</source>
        <translation>{name} ist nicht, was der Modell-Hub angekündigt hat.</translation>
    </message>
    <message>
        <source>The download cannot be stored: {strerror}.</source>
        <translation>Der Download kann nicht gespeichert werden: {strerror}.</translation>
    </message>
    <message>
        <source>The hub&apos;s answer ended too early.</source>
        <translation>Die Antwort des Modell-Hubs endete zu früh.</translation>
    </message>
    <message>
        <source>The download was stopped; what was downloaded so far is kept.</source>
        <translation>Der Download wurde angehalten; was da ist, bleibt.</translation>
    </message>
    <message>
        <source>There is no keyring that keeps secrets safely.</source>
        <translation>Es gibt keinen Schlüsselbund, der Geheimnisse sicher verwahrt.</translation>
    </message>
    <message>
        <source>Set a passphrase instead.</source>
        <translation>Setze stattdessen eine Passphrase.</translation>
    </message>
    <message>
        <source>The keyring is locked.</source>
        <translation>Der Schlüsselbund ist gesperrt.</translation>
    </message>
    <message>
        <source>The keyring refused.</source>
        <translation>Der Schlüsselbund hat abgelehnt.</translation>
    </message>
    <message>
        <source>The keyring failed ({type}).</source>
        <translation>Der Schlüsselbund ist gescheitert ({type}).</translation>
    </message>
    <message>
        <source>The model failed while reading: {error}</source>
        <translation>Das Modell ist beim Lesen gescheitert: {error}</translation>
    </message>
    <message>
        <source>This JSON schema cannot be turned into a grammar.</source>
        <translation>Aus diesem JSON-Schema lässt sich keine Grammatik machen.</translation>
    </message>
    <message>
        <source>This JSON schema cannot be turned into a grammar: {error}</source>
        <translation>Aus diesem JSON-Schema lässt sich keine Grammatik machen: {error}</translation>
    </message>
    <message>
        <source>The model&apos;s chat template cannot be used: {error}</source>
        <translation>Die Chatvorlage des Modells kann nicht benutzt werden: {error}</translation>
    </message>
    <message>
        <source>This model cannot be loaded: {error}.</source>
        <translation>Dieses Modell lässt sich nicht laden: {error}.</translation>
    </message>
    <message>
        <source>It may be damaged, of a newer kind than this llama.cpp knows, or too large for the memory.</source>
        <translation>Es ist vielleicht beschädigt, neuer, als dieses llama.cpp kennt, oder zu groß für den Arbeitsspeicher.</translation>
    </message>
    <message>
        <source>The model&apos;s chat template refuses these messages: {error}</source>
        <translation>Die Chatvorlage des Modells lehnt diese Nachrichten ab: {error}</translation>
    </message>
    <message>
        <source>The embedding model computes wrong vectors on this machine (cosine {cosine}).</source>
        <translation>Das Einbettungsmodell rechnet auf diesem Rechner falsche Vektoren aus (Kosinus {cosine}).</translation>
    </message>
    <message>
        <source>The English language pipeline is not installed.</source>
        <translation>Die Sprachanalyse für Englisch ist nicht installiert.</translation>
    </message>
    <message>
        <source>The English language pipeline is not the published one.</source>
        <translation>Die Sprachanalyse für Englisch ist nicht die veröffentlichte.</translation>
    </message>
    <message>
        <source>The language pipeline cannot be loaded: {error}.</source>
        <translation>Die Sprachanalyse lässt sich nicht laden: {error}.</translation>
    </message>
    <message>
        <source>{text} is not a web address.</source>
        <translation>{text} ist keine Webadresse.</translation>
    </message>
    <message>
        <source>It begins with http:// or https://.</source>
        <translation>Sie beginnt mit http:// oder https://.</translation>
    </message>
    <message>
        <source>No server named {name} is set up.</source>
        <translation>Ein Server namens {name} ist nicht eingerichtet.</translation>
    </message>
    <message>
        <source>{name} answers, but not like an OpenAI-compatible server.</source>
        <translation>{name} antwortet, aber nicht wie ein OpenAI-kompatibler Server.</translation>
    </message>
    <message>
        <source>Its address usually ends in /v1.</source>
        <translation>Seine Adresse endet meist auf /v1.</translation>
    </message>
    <message>
        <source>The answer of {name} ended early.</source>
        <translation>Die Antwort von {name} endete zu früh.</translation>
    </message>
    <message>
        <source>Try again.</source>
        <translation>Versuche es noch einmal.</translation>
    </message>
    <message>
        <source>The connection to {name} was lost.</source>
        <translation>Die Verbindung zu {name} ist abgebrochen.</translation>
    </message>
    <message>
        <source>{name} failed with {status}: {words}</source>
        <translation>{name} ist mit {status} gescheitert: {words}</translation>
    </message>
    <message>
        <source>{name} did not answer in time.</source>
        <translation>{name} hat nicht rechtzeitig geantwortet.</translation>
    </message>
    <message>
        <source>Try again, or raise the time limit.</source>
        <translation>Versuche es noch einmal, oder erlaube mehr Zeit.</translation>
    </message>
    <message>
        <source>The address of {name} is not a web address.</source>
        <translation>Die Adresse von {name} ist keine Webadresse.</translation>
    </message>
    <message>
        <source>{name} refuses the key ({status}).</source>
        <translation>{name} lehnt den Schlüssel ab ({status}).</translation>
    </message>
    <message>
        <source>{name} says: {words}</source>
        <translation>{name} sagt: {words}</translation>
    </message>
    <message>
        <source>{name} does not know {this}: {words}</source>
        <translation>{name} kennt {this} nicht: {words}</translation>
    </message>
    <message>
        <source>Refresh its list of models.</source>
        <translation>Lade seine Modellliste neu.</translation>
    </message>
    <message>
        <source>{name} refuses the request: {words}</source>
        <translation>{name} lehnt die Anfrage ab: {words}</translation>
    </message>
    <message>
        <source>The request was cancelled.</source>
        <translation>Die Anfrage wurde abgebrochen.</translation>
    </message>
    <message>
        <source>The entry could not be changed: {failed}.</source>
        <translation>Der Eintrag konnte nicht geändert werden: {failed}.</translation>
    </message>
    <message>
        <source>This process does not own the profile.</source>
        <translation>Das Profil gehört nicht diesem Prozess.</translation>
    </message>
    <message>
        <source>Another memdesk{who} uses this profile.</source>
        <translation>Ein anderes memdesk{who} benutzt dieses Profil.</translation>
    </message>
    <message>
        <source>The data folder cannot be written: {strerror}.</source>
        <translation>In den Datenordner kann nicht geschrieben werden: {strerror}.</translation>
    </message>
    <message>
        <source>memdesk is closing.</source>
        <translation>memdesk wird beendet.</translation>
    </message>
    <message>
        <source>The log cannot be written: {strerror}.</source>
        <translation>Das Protokoll kann nicht geschrieben werden: {strerror}.</translation>
    </message>
    <message>
        <source>The battery is low.</source>
        <translation>Der Akku ist schwach.</translation>
    </message>
    <message>
        <source>The machine is busy.</source>
        <translation>Der Rechner ist beschäftigt.</translation>
    </message>
    <message>
        <source>it ended with code {code}</source>
        <translation>er endete mit dem Code {code}</translation>
    </message>
    <message>
        <source>it is still running</source>
        <translation>er läuft noch</translation>
    </message>
    <message>
        <source>it ended on signal {name}</source>
        <translation>er endete durch das Signal {name}</translation>
    </message>
    <message>
        <source>it was killed, perhaps because memory ran out</source>
        <translation>er wurde beendet, vielleicht aus Mangel an Arbeitsspeicher</translation>
    </message>
    <message>
        <source>it crashed in native code</source>
        <translation>er ist abgestürzt</translation>
    </message>
    <message>
        <source>{name} stopped while it started: {reason}.</source>
        <translation>{name} endete beim Start: {reason}.</translation>
    </message>
    <message>
        <source>{name} did not respond for {timeout} seconds.</source>
        <translation>{name} gab {timeout} Sekunden lang kein Lebenszeichen.</translation>
    </message>
    <message>
        <source>{name} stopped while it worked: {reason}.</source>
        <translation>{name} endete bei der Arbeit: {reason}.</translation>
    </message>
    <message>
        <source>{name} has failed {failures} times in a row ({last_error}).</source>
        <translation>{name} ist {failures} Mal nacheinander gescheitert ({last_error}).</translation>
    </message>
    <message>
        <source>It is tried again in {left} seconds.</source>
        <translation>In {left} Sekunden wird es wieder versucht.</translation>
    </message>
    <message>
        <source>The engine was unloaded while it started.</source>
        <translation>Die Engine wurde beim Start entladen.</translation>
    </message>
    <message>
        <source>A chat went first; this work resumes later.</source>
        <translation>Ein Chat ging vor; diese Arbeit geht später weiter.</translation>
    </message>
    <message>
        <source>The engine was unloaded.</source>
        <translation>Die Engine wurde entladen.</translation>
    </message>
    <message>
        <source>The request was cancelled while the engine was starting.</source>
        <translation>Die Anfrage wurde abgebrochen, während die Engine startete.</translation>
    </message>
    <message>
        <source>{name} did not start within {start_timeout} seconds.</source>
        <translation>{name} ist nicht innerhalb von {start_timeout} Sekunden gestartet.</translation>
    </message>
    <message>
        <source>An agent id must have 1 to 300 characters, on one line.</source>
        <translation>Die Kennung eines Agenten hat 1 bis 300 Zeichen, auf einer Zeile.</translation>
    </message>
    <message>
        <source>For example “caroline” or “work-notes”.</source>
        <translation>Zum Beispiel „caroline“ oder „work-notes“.</translation>
    </message>
    <message>
        <source>An agent has no field {join}.</source>
        <translation>Ein Agent hat kein Feld {join}.</translation>
    </message>
    <message>
        <source>It has {join}.</source>
        <translation>Er hat {join}.</translation>
    </message>
    <message>
        <source>An agent needs a name of 1 to 100 characters.</source>
        <translation>Ein Agent braucht einen Namen mit 1 bis 100 Zeichen.</translation>
    </message>
    <message>
        <source>An agent&apos;s memory must be on, read_only or off.</source>
        <translation>Das Gedächtnis eines Agenten ist on, read_only oder off.</translation>
    </message>
    <message>
        <source>There is no agent “{agent_id}”.</source>
        <translation>Es gibt keinen Agenten „{agent_id}“.</translation>
    </message>
    <message>
        <source>The agent id “{agent_id}” is taken.</source>
        <translation>Die Kennung „{agent_id}“ ist vergeben.</translation>
    </message>
    <message>
        <source>Choose another id.</source>
        <translation>Wähle eine andere Kennung.</translation>
    </message>
    <message>
        <source>This is not an exported agent.</source>
        <translation>Das ist kein exportierter Agent.</translation>
    </message>
    <message>
        <source>It should say “format”: “{value}”.</source>
        <translation>Darin müsste „format“: „{value}“ stehen.</translation>
    </message>
    <message>
        <source>The built-in agent cannot be deleted.</source>
        <translation>Der eingebaute Agent kann nicht gelöscht werden.</translation>
    </message>
    <message>
        <source>Forget its memory instead, or edit it to your taste.</source>
        <translation>Lass stattdessen sein Gedächtnis vergessen, oder ändere ihn nach deinem Geschmack.</translation>
    </message>
    <message>
        <source>There is no sampling parameter {key}.</source>
        <translation>Es gibt keinen Sampling-Parameter {key}.</translation>
    </message>
    <message>
        <source>The parameters are {join} and stop.</source>
        <translation>Es gibt {join} und stop.</translation>
    </message>
    <message>
        <source>There is no template “{template}”.</source>
        <translation>Es gibt keine Vorlage „{template}“.</translation>
    </message>
    <message>
        <source>stop must be a string or a list of strings.</source>
        <translation>stop ist ein Text oder eine Liste von Texten.</translation>
    </message>
    <message>
        <source>{path} does not exist.</source>
        <translation>{path} gibt es nicht.</translation>
    </message>
    <message>
        <source>{name} holds no chat that memdesk can read.</source>
        <translation>{name} enthält keinen Chat, den memdesk lesen kann.</translation>
    </message>
    <message>
        <source>not as {title} writes it: {broken}</source>
        <translation>nicht so, wie {title} es schreibt: {broken}</translation>
    </message>
    <message>
        <source>There is a memory in {data} already.</source>
        <translation>In {data} gibt es schon ein Gedächtnis.</translation>
    </message>
    <message>
        <source>Restore with --replace: it is moved aside, not deleted.</source>
        <translation>Stelle es mit --replace wieder her: das vorhandene wird beiseitegelegt, nicht gelöscht.</translation>
    </message>
    <message>
        <source>{target} exists already.</source>
        <translation>{target} gibt es schon.</translation>
    </message>
    <message>
        <source>Choose another name.</source>
        <translation>Wähle einen anderen Namen.</translation>
    </message>
    <message>
        <source>The backup was written, but does not hold what it should. Do not rely on it.</source>
        <translation>Die Sicherung wurde geschrieben, enthält aber nicht, was sie soll. Verlass dich nicht darauf.</translation>
    </message>
    <message>
        <source>Check that there is room for it, and that the folder may be written to.</source>
        <translation>Prüfe, ob Platz dafür ist und ob in den Ordner geschrieben werden darf.</translation>
    </message>
    <message>
        <source>The backup could not be restored: {failed}.</source>
        <translation>Die Sicherung konnte nicht zurückgespielt werden: {failed}.</translation>
    </message>
    <message>
        <source>{source} does not exist.</source>
        <translation>{source} gibt es nicht.</translation>
    </message>
    <message>
        <source>{name} is not a memdesk backup, or it is damaged.</source>
        <translation>{name} ist keine Sicherung von memdesk, oder sie ist beschädigt.</translation>
    </message>
    <message>
        <source>It was made by a newer memdesk.</source>
        <translation>Sie stammt von einem neueren memdesk.</translation>
    </message>
    <message>
        <source>Install the newer version, then restore.</source>
        <translation>Installiere die neuere Version, und stelle dann wieder her.</translation>
    </message>
    <message>
        <source>{name} is not a complete backup.</source>
        <translation>{name} ist keine vollständige Sicherung.</translation>
    </message>
    <message>
        <source>It names a member that no backup has: {name}.</source>
        <translation>Sie nennt einen Teil, den keine Sicherung hat: {name}.</translation>
    </message>
    <message>
        <source>{name} is damaged: {name_} does not match its checksum.</source>
        <translation>{name} ist beschädigt: {name_} passt nicht zu seiner Prüfsumme.</translation>
    </message>
    <message>
        <source>Salience must be between 0 and 1.</source>
        <translation>Das Gewicht liegt zwischen 0 und 1.</translation>
    </message>
    <message>
        <source>{name} must be a list of strings.</source>
        <translation>{name} ist eine Liste von Texten.</translation>
    </message>
    <message>
        <source>{name} must be true or false.</source>
        <translation>{name} ist true oder false.</translation>
    </message>
    <message>
        <source>A fact can be set to active or disabled.</source>
        <translation>Ein Fakt wird auf aktiv oder ausgeschaltet gesetzt.</translation>
    </message>
    <message>
        <source>The status must be active or disabled.</source>
        <translation>Der Zustand ist aktiv oder ausgeschaltet.</translation>
    </message>
    <message>
        <source>There is no field {join} to change.</source>
        <translation>Ein Feld {join} zum Ändern gibt es nicht.</translation>
    </message>
    <message>
        <source>Use one of: {join}.</source>
        <translation>Es gibt {join}.</translation>
    </message>
    <message>
        <source>A fact cannot end before it begins.</source>
        <translation>Ein Fakt kann nicht enden, ehe er beginnt.</translation>
    </message>
    <message>
        <source>There is no kind “{value}”.</source>
        <translation>Eine Art „{value}“ gibt es nicht.</translation>
    </message>
    <message>
        <source>The message is empty.</source>
        <translation>Die Nachricht ist leer.</translation>
    </message>
    <message>
        <source>There is no message to answer again.</source>
        <translation>Es gibt keine Nachricht, die noch einmal beantwortet werden könnte.</translation>
    </message>
    <message>
        <source>That message is no longer there.</source>
        <translation>Diese Nachricht ist nicht mehr da.</translation>
    </message>
    <message>
        <source>There is no message with the role “user”.</source>
        <translation>Keine der Nachrichten hat die Rolle „user“.</translation>
    </message>
    <message>
        <source>There is no such receipt.</source>
        <translation>Diesen Beleg gibt es nicht.</translation>
    </message>
    <message>
        <source>It is stored once the answer is finished.</source>
        <translation>Er wird gespeichert, sobald die Antwort fertig ist.</translation>
    </message>
    <message>
        <source>There is no such conversation.</source>
        <translation>Dieses Gespräch gibt es nicht.</translation>
    </message>
    <message>
        <source>The prompt is too long: message and system prompt do not fit this model&apos;s context of {limit} tokens.</source>
        <translation>Nachricht und Systemprompt passen nicht in den Kontext dieses Modells ({limit} Token).</translation>
    </message>
    <message>
        <source>There is no model “{wanted}”.</source>
        <translation>Ein Modell „{wanted}“ gibt es nicht.</translation>
    </message>
    <message>
        <source>The prompt is too long: the conversation does not fit this model&apos;s context.</source>
        <translation>Das Gespräch passt nicht in den Kontext dieses Modells.</translation>
    </message>
    <message>
        <source>The answer was stopped.</source>
        <translation>Die Antwort wurde angehalten.</translation>
    </message>
    <message>
        <source>Taken up after an interruption.</source>
        <translation>Nach einer Unterbrechung fortgesetzt.</translation>
    </message>
    <message>
        <source>Letting old memories fade</source>
        <translation>Altes verblasst</translation>
    </message>
    <message>
        <source>Moving faded facts to the bin</source>
        <translation>Verblasste Fakten kommen in den Papierkorb</translation>
    </message>
    <message>
        <source>Moving old episodes to the bin</source>
        <translation>Alte Episoden kommen in den Papierkorb</translation>
    </message>
    <message>
        <source>A chat is being answered.</source>
        <translation>Gerade wird ein Chat beantwortet.</translation>
    </message>
    <message>
        <source>Memory is off.</source>
        <translation>Das Gedächtnis ist aus.</translation>
    </message>
    <message>
        <source>A consolidation is running.</source>
        <translation>Gerade läuft eine Konsolidierung.</translation>
    </message>
    <message>
        <source>Wait for it, or stop it.</source>
        <translation>Warte darauf, oder halte sie an.</translation>
    </message>
    <message>
        <source>That preview is no longer known.</source>
        <translation>Diese Vorschau ist nicht mehr bekannt.</translation>
    </message>
    <message>
        <source>Preview again, then choose.</source>
        <translation>Lass dir eine neue zeigen, und wähle dann.</translation>
    </message>
    <message>
        <source>There is no such run.</source>
        <translation>Diesen Lauf gibt es nicht.</translation>
    </message>
    <message>
        <source>This run cannot be undone. {why}</source>
        <translation>Dieser Lauf kann nicht rückgängig gemacht werden. {why}</translation>
    </message>
    <message>
        <source>A title must have 1 to 200 characters.</source>
        <translation>Ein Titel hat 1 bis 200 Zeichen.</translation>
    </message>
    <message>
        <source>A conversation&apos;s memory must be on, read_only or off.</source>
        <translation>Das Gedächtnis eines Gesprächs ist on, read_only oder off.</translation>
    </message>
    <message>
        <source>A conversation can be exported as md or json.</source>
        <translation>Ein Gespräch wird als md oder json exportiert.</translation>
    </message>
    <message>
        <source>A date could not be read.</source>
        <translation>Ein Datum konnte nicht gelesen werden.</translation>
    </message>
    <message>
        <source>Write it as 2023-05-08T13:56:00+02:00, or as “1:56 pm on 8 May, 2023”.</source>
        <translation>Schreibe es als 2023-05-08T13:56:00+02:00 oder als „1:56 pm on 8 May, 2023“.</translation>
    </message>
    <message>
        <source>Memory is switched off in the settings; the turns wait.</source>
        <translation>Das Gedächtnis ist in den Einstellungen ausgeschaltet; die Nachrichten warten.</translation>
    </message>
    <message>
        <source>This agent&apos;s memory is off; the turns wait.</source>
        <translation>Das Gedächtnis dieses Agenten ist aus; die Nachrichten warten.</translation>
    </message>
    <message>
        <source>Memory is off in this conversation; the turns wait.</source>
        <translation>In diesem Gespräch ist das Gedächtnis aus; die Nachrichten warten.</translation>
    </message>
    <message>
        <source>Distillation is on request only (extractionMode: manual); the turns wait until you ask for it.</source>
        <translation>Destilliert wird nur auf Wunsch; die Nachrichten warten, bis du darum bittest.</translation>
    </message>
    <message>
        <source>No core model is chosen. Choose one, or set extractionMode to rules to do without; the turns wait.</source>
        <translation>Es ist kein Kernmodell gewählt. Wähle eines, oder lass ohne Modell destillieren; die Nachrichten warten.</translation>
    </message>
    <message>
        <source>It failed several times and was set aside. Retry it in the window, or with retry_parked.</source>
        <translation>Es ist mehrmals gescheitert und zurückgestellt. Versuche es unter Diagnose noch einmal.</translation>
    </message>
    <message>
        <source>Nothing in it was worth keeping.</source>
        <translation>Darin war nichts, was zu behalten wäre.</translation>
    </message>
    <message>
        <source>Distillation was cancelled.</source>
        <translation>Die Destillation wurde abgebrochen.</translation>
    </message>
    <message>
        <source>It could not be distilled; the log says more.</source>
        <translation>Es konnte nicht destilliert werden; im Protokoll steht mehr.</translation>
    </message>
    <message>
        <source>The session does not fit the model&apos;s context.</source>
        <translation>Das Gespräch passt nicht in den Kontext des Modells.</translation>
    </message>
    <message>
        <source>The model&apos;s answer is not a JSON object.</source>
        <translation>Die Antwort des Modells ist kein JSON-Objekt.</translation>
    </message>
    <message>
        <source>memdesk was not sure of it</source>
        <translation>memdesk war sich nicht sicher</translation>
    </message>
    <message>
        <source>reads like an order to the model: {order}</source>
        <translation>liest sich wie ein Befehl an das Modell: {order}</translation>
    </message>
    <message>
        <source>kept apart until the user has looked at it</source>
        <translation>beiseitegelegt, bis du es gesehen hast</translation>
    </message>
    <message>
        <source>The port is taken</source>
        <translation>Der Port ist belegt</translation>
    </message>
    <message>
        <source>The local server could not start</source>
        <translation>Der lokale Server konnte nicht starten</translation>
    </message>
    <message>
        <source>{host} is not an address of this machine that can be listened on.</source>
        <translation>{host} ist keine Adresse dieses Rechners, unter der ein Server erreichbar sein kann.</translation>
    </message>
    <message>
        <source>127.0.0.1 always is.</source>
        <translation>127.0.0.1 geht immer.</translation>
    </message>
    <message>
        <source>Choose another port under Settings, Server (or --port 0 for a free one), or end that program.</source>
        <translation>Wähle unter Einstellungen, Server einen anderen Port (oder --port 0 für einen freien), oder beende jenes Programm.</translation>
    </message>
    <message>
        <source>This system does not let memdesk listen on port {port}.</source>
        <translation>Dieses System lässt memdesk nicht auf Port {port} hören.</translation>
    </message>
    <message>
        <source>Choose a port from 1024 up.</source>
        <translation>Wähle einen Port ab 1024.</translation>
    </message>
    <message>
        <source>The local server did not come up.</source>
        <translation>Der lokale Server ist nicht gestartet.</translation>
    </message>
    <message>
        <source>The log says why.</source>
        <translation>Im Protokoll steht, warum.</translation>
    </message>
    <message>
        <source>The local server ended on an error.</source>
        <translation>Der lokale Server ist an einem Fehler gescheitert.</translation>
    </message>
    <message>
        <source>There is no such fact.</source>
        <translation>Diesen Fakt gibt es nicht.</translation>
    </message>
    <message>
        <source>It may be gone already.</source>
        <translation>Vielleicht ist er schon weg.</translation>
    </message>
    <message>
        <source>Name the agent it belongs to.</source>
        <translation>Es fehlt, wessen es ist: ein Agent muss angegeben sein.</translation>
    </message>
    <message>
        <source>There is no such {what}.</source>
        <translation>Das gibt es nicht: {what}.</translation>
    </message>
    <message>
        <source>counts again: what replaced it was forgotten</source>
        <translation>gilt wieder: was ihn ersetzt hat, wurde vergessen</translation>
    </message>
    <message>
        <source>replaced by a fact that was forgotten</source>
        <translation>ersetzt durch einen Fakt, der vergessen wurde</translation>
    </message>
    <message>
        <source>There is no such identity line.</source>
        <translation>Diese Zeile über dich gibt es nicht.</translation>
    </message>
    <message>
        <source>A conversation id must have 1 to 200 printable characters.</source>
        <translation>Die Kennung eines Gesprächs hat 1 bis 200 druckbare Zeichen.</translation>
    </message>
    <message>
        <source>That can no longer be undone.</source>
        <translation>Das kann nicht mehr rückgängig gemacht werden.</translation>
    </message>
    <message>
        <source>Each change can still be undone under Activity.</source>
        <translation>Unter „Verlauf“ lässt sich jede Änderung noch zurücknehmen.</translation>
    </message>
    <message>
        <source>There is no such episode.</source>
        <translation>Diese Episode gibt es nicht.</translation>
    </message>
    <message>
        <source>There is no such entity.</source>
        <translation>Diesen Namen gibt es nicht.</translation>
    </message>
    <message>
        <source>The page of people and things lists them.</source>
        <translation>Auf der Seite „Personen und Dinge“ stehen alle.</translation>
    </message>
    <message>
        <source>The model gave no counts.</source>
        <translation>Das Modell hat keine Zahlen genannt.</translation>
    </message>
    <message>
        <source>A server&apos;s name must have 1 to 64 characters and no slash.</source>
        <translation>Der Name eines Servers hat 1 bis 64 Zeichen und keinen Schrägstrich.</translation>
    </message>
    <message>
        <source>{filename} is being downloaded already.</source>
        <translation>{filename} wird schon heruntergeladen.</translation>
    </message>
    <message>
        <source>the user kept the other of two opposed facts</source>
        <translation>du hast den anderen von zwei widersprüchlichen Fakten behalten</translation>
    </message>
    <message>
        <source>This candidate is gone.</source>
        <translation>Dieser Vorschlag ist weg.</translation>
    </message>
    <message>
        <source>This fact does not wait for review any more.</source>
        <translation>Dieser Fakt wartet nicht mehr auf Prüfung.</translation>
    </message>
    <message>
        <source>accepted in review</source>
        <translation>bei der Prüfung angenommen</translation>
    </message>
    <message>
        <source>rejected in review</source>
        <translation>bei der Prüfung abgelehnt</translation>
    </message>
    <message>
        <source>Keep the old fact, the new one, or both.</source>
        <translation>Behalte den alten Fakt, den neuen oder beide.</translation>
    </message>
    <message>
        <source>One of the two facts is gone.</source>
        <translation>Einer der beiden Fakten ist weg.</translation>
    </message>
    <message>
        <source>There is no such rule any more.</source>
        <translation>Diese Regel gibt es nicht mehr.</translation>
    </message>
    <message>
        <source>This contradiction is settled already.</source>
        <translation>Dieser Widerspruch ist schon geklärt.</translation>
    </message>
    <message>
        <source>{action} taken back</source>
        <translation>zurückgenommen: {action}</translation>
    </message>
    <message>
        <source>evict taken back</source>
        <translation>aus dem Papierkorb zurückgeholt</translation>
    </message>
    <message>
        <source>taken out of the bin</source>
        <translation>aus dem Papierkorb geholt</translation>
    </message>
    <message>
        <source>It is not in the bin any more.</source>
        <translation>Es ist nicht mehr im Papierkorb.</translation>
    </message>
    <message>
        <source>The consolidation was stopped.</source>
        <translation>Die Konsolidierung wurde angehalten.</translation>
    </message>
    <message>
        <source>memdesk has just started.</source>
        <translation>memdesk ist gerade erst gestartet.</translation>
    </message>
    <message>
        <source>Did you mean &apos;{close}&apos;?</source>
        <translation>Meintest du „{close}“?</translation>
    </message>
    <message>
        <source>&apos;{section}&apos; has no setting &apos;{key}&apos;.</source>
        <translation>„{section}“ hat keine Einstellung „{key}“.</translation>
    </message>
    <message>
        <source>There is no settings section &apos;{section}&apos;.</source>
        <translation>Einen Abschnitt „{section}“ gibt es nicht.</translation>
    </message>
    <message>
        <source>Database</source>
        <translation>Datenbank</translation>
    </message>
    <message>
        <source>{name} is a folder.</source>
        <translation>{name} ist ein Ordner.</translation>
    </message>
    <message>
        <source>Attach the files in it one by one.</source>
        <translation>Hänge die Dateien darin einzeln an.</translation>
    </message>
    <message>
        <source>Only what memdesk downloaded can be deleted here.</source>
        <translation>Hier kann nur gelöscht werden, was memdesk heruntergeladen hat.</translation>
    </message>
    <message>
        <source>{name} cannot be deleted: {strerror}.</source>
        <translation>{name} kann nicht gelöscht werden: {strerror}.</translation>
    </message>
    <message>
        <source>{name} ends in the middle of its weights.</source>
        <translation>{name} bricht mitten in den Gewichten ab.</translation>
    </message>
    <message>
        <source>{name} has moved to {get}.</source>
        <translation>{name} ist nach {get} umgezogen.</translation>
    </message>
    <message>
        <source>Enter that address up to /v1.</source>
        <translation>Gib diese Adresse bis /v1 ein.</translation>
    </message>
    <message>
        <source>{name} answers, but has no list of models there.</source>
        <translation>{name} antwortet, hat dort aber keine Modellliste.</translation>
    </message>
    <message>
        <source>{name} asks for a key ({status}).</source>
        <translation>{name} verlangt einen Schlüssel ({status}).</translation>
    </message>
    <message>
        <source>Enter its key.</source>
        <translation>Gib seinen Schlüssel ein.</translation>
    </message>
    <message>
        <source>Assistant</source>
        <translation>Assistent</translation>
    </message>
    <message>
        <source>Answers plainly and remembers what matters to you.</source>
        <translation>Antwortet schlicht und merkt sich, was dir wichtig ist.</translation>
    </message>
    <message>
        <source>You are a helpful assistant. Answer briefly and plainly. Say so when you do not know.</source>
        <translation>Du bist ein hilfsbereiter Assistent. Antworte kurz und schlicht. Sag es, wenn du etwas nicht weißt.</translation>
    </message>
    <message>
        <source>Writing partner</source>
        <translation>Schreibpartner</translation>
    </message>
    <message>
        <source>Drafts and edits in your voice; remembers your style and your projects.</source>
        <translation>Entwirft und überarbeitet in deinem Ton; merkt sich deinen Stil und deine Vorhaben.</translation>
    </message>
    <message>
        <source>You help with writing. Keep the author&apos;s voice, prefer short sentences, and explain each larger change in one line.</source>
        <translation>Du hilfst beim Schreiben. Bewahre den Ton des Verfassers, bevorzuge kurze Sätze und begründe jede größere Änderung in einer Zeile.</translation>
    </message>
    <message>
        <source>Code companion</source>
        <translation>Code-Begleiter</translation>
    </message>
    <message>
        <source>Explains and writes code; remembers your stack and your decisions.</source>
        <translation>Erklärt und schreibt Code; merkt sich deine Werkzeuge und deine Entscheidungen.</translation>
    </message>
    <message>
        <source>You are a careful programmer. Ask when a requirement is unclear. Show code that runs, then say what it assumes.</source>
        <translation>Du programmierst sorgfältig. Frage nach, wenn eine Anforderung unklar ist. Zeige Code, der läuft, und sage dann, was er voraussetzt.</translation>
    </message>
    <message>
        <source>Journal and coach</source>
        <translation>Tagebuch und Coach</translation>
    </message>
    <message>
        <source>Listens, asks one good question, and remembers your goals.</source>
        <translation>Hört zu, stellt eine gute Frage und merkt sich deine Ziele.</translation>
    </message>
    <message>
        <source>You are a calm coach. Listen first, ask one question at a time, and come back to the goals the user has named.</source>
        <translation>Du bist ein ruhiger Coach. Höre erst zu, stelle immer nur eine Frage und komm auf die Ziele zurück, die genannt wurden.</translation>
    </message>
    <message>
        <source>Tutor</source>
        <translation>Tutor</translation>
    </message>
    <message>
        <source>Teaches step by step; remembers what you already know.</source>
        <translation>Lehrt Schritt für Schritt; merkt sich, was du schon weißt.</translation>
    </message>
    <message>
        <source>You are a patient tutor. Find out what the learner knows, explain one step, then let them try.</source>
        <translation>Du bist ein geduldiger Tutor. Finde heraus, was schon bekannt ist, erkläre einen Schritt und lass ihn dann ausprobieren.</translation>
    </message>
    <message>
        <source>This agent was exported by a newer memdesk.</source>
        <translation>Dieser Agent stammt aus einem neueren memdesk.</translation>
    </message>
    <message>
        <source>Update memdesk, then try again.</source>
        <translation>Aktualisiere memdesk und versuche es dann noch einmal.</translation>
    </message>
    <message>
        <source>It is not JSON, or ends in the middle; what stands before that was read.</source>
        <translation>Es ist kein JSON oder bricht mittendrin ab; was davor steht, wurde gelesen.</translation>
    </message>
    <message>
        <source>It is not JSON, or ends in the middle.</source>
        <translation>Es ist kein JSON oder bricht mittendrin ab.</translation>
    </message>
    <message>
        <source>Two downloads are running already.</source>
        <translation>Zwei Downloads laufen schon.</translation>
    </message>
    <message>
        <source>Start this one when one of them has ended, or stop one.</source>
        <translation>Starte diesen, wenn einer davon fertig ist, oder halte einen an.</translation>
    </message>
    <message>
        <source>Two entities of one agent can be joined.</source>
        <translation>Zwei Einträge eines Agenten lassen sich zusammenführen.</translation>
    </message>
    <message>
        <source>At most {value} other names are allowed, each of up to {value_} characters.</source>
        <translation>Es gibt höchstens {value} weitere Namen mit {value_} Zeichen.</translation>
    </message>
    <message>
        <source>“{name}” is there already.</source>
        <translation>„{name}“ gibt es schon.</translation>
    </message>
    <message>
        <source>Join the two if they are the same.</source>
        <translation>Führe die beiden zusammen, wenn sie dasselbe sind.</translation>
    </message>
    <message>
        <source>Distillation</source>
        <translation>Destillation</translation>
    </message>
    <message>
        <source>Next run: {local}.</source>
        <translation>Nächster Lauf: {local}.</translation>
    </message>
    <message>
        <source>Local server</source>
        <translation>Lokaler Server</translation>
    </message>
    <message>
        <source>There is no answer</source>
        <translation>Es gibt keine Antwort</translation>
    </message>
    <message>
        <source>it crashed in native code (0x{code})</source>
        <translation>es ist in nativem Code abgestürzt (0x{code})</translation>
    </message>
    <message>
        <source>{name} is not a complete ZIP archive.</source>
        <translation>{name} ist kein vollständiges ZIP-Archiv.</translation>
    </message>
    <message>
        <source>A download that was cut off looks like this: download it again.</source>
        <translation>Das geschieht, wenn ein Download abbricht. Lade die Datei noch einmal herunter.</translation>
    </message>
    <message>
        <source>It is packed in a way that cannot be read here; unpack the archive first.</source>
        <translation>So gepackt lässt es sich hier nicht lesen. Entpacke das Archiv zuerst.</translation>
    </message>
    <message>
        <source>It is protected by a password; unpack the archive first.</source>
        <translation>Es ist mit einem Passwort geschützt. Entpacke das Archiv zuerst.</translation>
    </message>
    <message>
        <source>It is not a complete ZIP archive; download it again.</source>
        <translation>Das ZIP-Archiv ist unvollständig. Lade es noch einmal herunter.</translation>
    </message>
    <message>
        <source>It is a ZIP inside the ZIP; unpack the outer one first.</source>
        <translation>Es ist ein ZIP im ZIP. Entpacke zuerst das äußere.</translation>
    </message>
    <message>
        <source>Looking at what would change</source>
        <translation>Sieht nach, was sich ändern würde</translation>
    </message>
    <message>
        <source>Taking changes back</source>
        <translation>Nimmt Änderungen zurück</translation>
    </message>
    <message>
        <source>“{name}” is no longer there.</source>
        <translation>„{name}“ gibt es nicht mehr.</translation>
    </message>
    <message>
        <source>It was joined with another, or forgotten. Take that join back first.</source>
        <translation>Es wurde mit einem anderen zusammengeführt oder vergessen. Nimm zuerst das Zusammenführen zurück.</translation>
    </message>
    <message>
        <source>“{name}” exists now.</source>
        <translation>„{name}“ gibt es inzwischen.</translation>
    </message>
    <message>
        <source>Give it another name first.</source>
        <translation>Gib ihm zuerst einen anderen Namen.</translation>
    </message>
    <message>
        <source>Disk</source>
        <translation>Speicherplatz</translation>
    </message>
    <message>
        <source>Only {free} MB are free.</source>
        <translation>Nur {free} MB sind frei.</translation>
    </message>
    <message>
        <source>Free some space: on a full disk nothing new is remembered.</source>
        <translation>Schaffe Platz: Auf einer vollen Festplatte wird nichts Neues gemerkt.</translation>
    </message>
    <message>
        <source>{size} GB are free.</source>
        <translation>{size} GB sind frei.</translation>
    </message>
    <message>
        <source>One turn waits, and no core model is chosen.</source>
        <translation>Eine Nachricht wartet, und es ist kein Kernmodell gewählt.</translation>
    </message>
    <message>
        <source>Background work is paused.</source>
        <translation>Hintergrundarbeit ist angehalten.</translation>
    </message>
    <message>
        <source>Resume it whenever you like; nothing is lost.</source>
        <translation>Setze sie fort, wann du willst: Bis dahin geht nichts verloren.</translation>
    </message>
    <message>
        <source>Listening at {url}.</source>
        <translation>Erreichbar unter {url}.</translation>
    </message>
    <message>
        <source>Its state cannot be read.</source>
        <translation>Der Zustand lässt sich nicht feststellen.</translation>
    </message>
    <message>
        <source>Copy a report and send it to us.</source>
        <translation>Kopiere einen Bericht und schicke ihn uns.</translation>
    </message>
    <message>
        <source>There is no such change.</source>
        <translation>Diese Änderung gibt es nicht.</translation>
    </message>
    <message>
        <source>This change cannot be undone.</source>
        <translation>Diese Änderung lässt sich nicht zurücknehmen.</translation>
    </message>
    <message>
        <source>The log does not say what was there before.</source>
        <translation>Das Protokoll enthält nicht, was vorher war.</translation>
    </message>
    <message>
        <source>Nothing was undone: it was changed again since, or is gone.</source>
        <translation>Nichts wurde zurückgenommen: Es wurde seither wieder geändert oder ist nicht mehr da.</translation>
    </message>
    <message>
        <source>A session cannot end before it begins.</source>
        <translation>Eine Sitzung kann nicht enden, bevor sie beginnt.</translation>
    </message>
    <message>
        <source>A key must be ASCII, without spaces.</source>
        <translation>Ein Schlüssel enthält weder Leerzeichen noch Zeichen außerhalb von ASCII.</translation>
    </message>
    <message>
        <source>Copy it again.</source>
        <translation>Kopiere ihn noch einmal.</translation>
    </message>
    <message>
        <source>There is no such token.</source>
        <translation>Dieses Token gibt es nicht.</translation>
    </message>
    <message>
        <source>A token needs a name of 1 to 100 characters.</source>
        <translation>Ein Token braucht einen Namen mit 1 bis 100 Zeichen.</translation>
    </message>
    <message>
        <source>Unknown scope: {join}.</source>
        <translation>Unbekannter Bereich: {join}.</translation>
    </message>
    <message>
        <source>A token needs at least one scope.</source>
        <translation>Ein Token braucht mindestens einen Bereich.</translation>
    </message>
    <message>
        <source>Scopes are {join}.</source>
        <translation>Bereiche sind {join}.</translation>
    </message>
    <message>
        <source>A token can be valid for 1 to 36500 days, or forever.</source>
        <translation>Ein Token gilt 1 bis 36.500 Tage oder ohne Ende.</translation>
    </message>
    <message>
        <source>The token for {name} is empty.</source>
        <translation>Das Token für {name} ist leer.</translation>
    </message>
    <message>
        <source>Put a long random text in that variable, then start again.</source>
        <translation>Schreibe einen langen zufälligen Text in diese Variable, und starte dann neu.</translation>
    </message>
    <message>
        <source>The memory is locked.</source>
        <translation>Das Gedächtnis ist gesperrt.</translation>
    </message>
    <message>
        <source>There is a memory already.</source>
        <translation>Es gibt schon ein Gedächtnis.</translation>
    </message>
    <message>
        <source>Unlock it, or start with another profile.</source>
        <translation>Entsperre es, oder starte mit einem anderen Profil.</translation>
    </message>
    <message>
        <source>Correct the file, or delete it to go back to the defaults. A copy is in {name}.</source>
        <translation>Berichtige die Datei, oder lösche sie, um zu den Vorgaben zurückzukehren. Eine Kopie liegt in {name}.</translation>
    </message>
    <message>
        <source>Correct the file, or delete it.</source>
        <translation>Berichtige die Datei, oder lösche sie.</translation>
    </message>
    <message>
        <source>{path} could not be read: {failed}.</source>
        <translation>{path} konnte nicht gelesen werden: {failed}.</translation>
    </message>
    <message>
        <source>{title}; the digest was made by rules.</source>
        <translation>{title}; die Zusammenfassung entstand nach Regeln.</translation>
    </message>
    <message>
        <source>{path} could not be written: {failed}.</source>
        <translation>{path} konnte nicht geschrieben werden: {failed}.</translation>
    </message>
    <message>
        <source>Check that the disk has room and that the folder may be written to.</source>
        <translation>Prüfe, ob auf der Festplatte Platz ist und in den Ordner geschrieben werden darf.</translation>
    </message>
    <message>
        <source>The memory is closed.</source>
        <translation>Das Gedächtnis ist geschlossen.</translation>
    </message>
    <message>
        <source>{path} is open in another process.</source>
        <translation>{path} ist in einem anderen Prozess offen.</translation>
    </message>
    <message>
        <source>{path} is not there.</source>
        <translation>{path} ist nicht da.</translation>
    </message>
    <message>
        <source>The memory belongs to another vault. Put the vault.json that came with it beside it and unlock with its recovery code.</source>
        <translation>Das Gedächtnis gehört zu einem anderen Tresor. Lege die zugehörige vault.json daneben und entsperre mit ihrem Wiederherstellungscode.</translation>
    </message>
    <message>
        <source>Not a memdesk memory</source>
        <translation>Kein Gedächtnis von memdesk</translation>
    </message>
    <message>
        <source>Move that file away, or choose another profile folder; memdesk will not overwrite it.</source>
        <translation>Verschiebe diese Datei, oder wähle einen anderen Profilordner; memdesk überschreibt sie nicht.</translation>
    </message>
    <message>
        <source>The memory file is damaged</source>
        <translation>Die Gedächtnisdatei ist beschädigt</translation>
    </message>
    <message>
        <source>The memory file is missing</source>
        <translation>Die Gedächtnisdatei fehlt</translation>
    </message>
    <message>
        <source>Put memory.db back beside vault.json, or restore a backup.</source>
        <translation>Lege memory.db wieder neben vault.json, oder stelle eine Sicherung wieder her.</translation>
    </message>
    <message>
        <source>The memory is read-only</source>
        <translation>Das Gedächtnis ist schreibgeschützt</translation>
    </message>
    <message>
        <source>Make the folder writable for your user, or choose another profile folder with --home.</source>
        <translation>Mach den Ordner für dich beschreibbar, oder wähle mit --home einen anderen Profilordner.</translation>
    </message>
    <message>
        <source>The disk is full</source>
        <translation>Die Festplatte ist voll</translation>
    </message>
    <message>
        <source>This request has no bearer token.</source>
        <translation>Diese Anfrage hat kein Bearer-Token.</translation>
    </message>
    <message>
        <source>This token is unknown, revoked or expired.</source>
        <translation>Dieses Token ist unbekannt, widerrufen oder abgelaufen.</translation>
    </message>
    <message>
        <source>This server keeps no conversations between requests: send all messages.</source>
        <translation>Dieser Server behält zwischen Anfragen keine Gespräche: Schicke alle Nachrichten.</translation>
    </message>
    <message>
        <source>The last messages may be missing</source>
        <translation>Die letzten Nachrichten fehlen vielleicht</translation>
    </message>
    <message>
        <source>memdesk was stopped in the middle of its work, and the memory&apos;s log has been deleted since.</source>
        <translation>memdesk wurde mittendrin beendet, und das Protokoll des Gedächtnisses wurde seitdem gelöscht.</translation>
    </message>
    <message>
        <source>Put memory.db-wal back beside memory.db if you still have it, or restore a backup.</source>
        <translation>Lege memory.db-wal wieder neben memory.db, wenn du sie noch hast, oder stelle eine Sicherung wieder her.</translation>
    </message>
    <message>
        <source>There is room on the disk again</source>
        <translation>Auf der Festplatte ist wieder Platz</translation>
    </message>
    <message>
        <source>its episode is pruned; it was used lately or weighs enough to stay without it</source>
        <translation>seine Episode wird entfernt; es wurde kürzlich gebraucht oder wiegt genug, um ohne sie zu bleiben</translation>
    </message>
    <message>
        <source>Free some space, then try again. Nothing that was saved before is lost.</source>
        <translation>Schaff etwas Platz und versuche es noch einmal. Nichts bisher Gespeichertes ist verloren.</translation>
    </message>
    <message>
        <source>The {kind} failed: {error}</source>
        <translation>{kind} ist fehlgeschlagen: {error}</translation>
    </message>
    <message>
        <source>There is no program {name}.</source>
        <translation>Es gibt kein Programm {name}.</translation>
    </message>
    <message>
        <source>{file} holds no settings.</source>
        <translation>{file} enthält keine Einstellungen.</translation>
    </message>
    <message>
        <source>Use one of: {known}.</source>
        <translation>Es gibt {known}.</translation>
    </message>
    <message>
        <source>{file} could not be written: {strerror}.</source>
        <translation>{file} konnte nicht geschrieben werden: {strerror}.</translation>
    </message>
    <message>
        <source>{file} cannot be read.</source>
        <translation>{file} kann nicht gelesen werden.</translation>
    </message>
    <message>
        <source>There is no embedding model {model} here.</source>
        <translation>Es gibt hier kein Einbettungsmodell {model}.</translation>
    </message>
    <message>
        <source>Use {bundled}, the folder of a sentence-transformers or ONNX model, a GGUF file, or a server&apos;s model as remote:SERVER/MODEL.</source>
        <translation>Nimm {bundled}, den Ordner eines sentence-transformers- oder ONNX-Modells, eine GGUF-Datei oder das Modell eines Servers als remote:SERVER/MODELL.</translation>
    </message>
    <message>
        <source>This kind of pooling needs sentence-transformers.</source>
        <translation>Diese Art des Poolings braucht sentence-transformers.</translation>
    </message>
    <message>
        <source>This model cannot see pictures.</source>
        <translation>Dieses Modell nimmt keine Bilder an.</translation>
    </message>
    <message>
        <source>This package does not include it. With a memdesk installed by pip: pip install &quot;memdesk[{extra}]&quot;</source>
        <translation>Dieses Paket lässt es weg. Ein mit pip installiertes memdesk hat es: pip install &quot;memdesk[{extra}]&quot;</translation>
    </message>
    <message>
        <source>The tool server {name} failed: {reason}</source>
        <translation>Der Werkzeugserver {name} ist gescheitert: {reason}</translation>
    </message>
    <message>
        <source>Check its command or address under Settings, Engine.</source>
        <translation>Seinen Befehl oder seine Adresse unter Einstellungen, Engine prüfen.</translation>
    </message>
    <message>
        <source>A conversation can override only {join}.</source>
        <translation>Ein Gespräch kann nur das überschreiben: {join}.</translation>
    </message>
    <message>
        <source>Sampling parameters must be an object.</source>
        <translation>Sampling ist ein Objekt mit Parametern.</translation>
    </message>
    <message>
        <source>{key} must be between {bounds} and {bounds_}.</source>
        <translation>{key} liegt zwischen {bounds} und {bounds_}.</translation>
    </message>
    <message>
        <source>A prompt needs a name of 1 to 100 characters.</source>
        <translation>Ein Prompt braucht einen Namen von 1 bis 100 Zeichen.</translation>
    </message>
    <message>
        <source>A prompt must have 1 to 100,000 characters.</source>
        <translation>Ein Prompt hat 1 bis 100.000 Zeichen.</translation>
    </message>
    <message>
        <source>{name} cannot see pictures.</source>
        <translation>{name} nimmt keine Bilder an.</translation>
    </message>
    <message>
        <source>The instructions of {names} say it too; they keep it unless you have it removed there too.</source>
        <translation>Auch die Anweisungen von {names} sagen es; sie bleiben, wenn du es nicht auch dort löschst.</translation>
    </message>
    <message>
        <source>The chat settings of {names} say it too; they keep it unless you have it removed there too.</source>
        <translation>Auch die Chat-Einstellungen von {names} sagen es; sie bleiben, wenn du es nicht auch dort löschst.</translation>
    </message>
    <message>
        <source>The instructions of the folders {names} say it too; they keep it unless you have it removed there too.</source>
        <translation>Auch die Anweisungen der Ordner {names} sagen es; sie bleiben, wenn du es nicht auch dort entfernst.</translation>
    </message>
    <message>
        <source>The saved prompts {names} say it too; they keep it unless you have it removed there too.</source>
        <translation>Auch die gespeicherten Prompts {names} sagen es; sie bleiben, wenn du es nicht auch dort löschst.</translation>
    </message>
    <message>
        <source>{target} is among memdesk&apos;s own files.</source>
        <translation>{target} liegt zwischen memdesks eigenen Dateien.</translation>
    </message>
    <message>
        <source>Add the entry by hand; the preview shows it.</source>
        <translation>Den Eintrag von Hand einfügen; die Vorschau zeigt ihn.</translation>
    </message>
    <message>
        <source>Leave the agent out for a token that reaches all agents.</source>
        <translation>Nenne keinen Agenten, wenn der Token für alle gelten soll.</translation>
    </message>
    <message>
        <source>it is not a path</source>
        <translation>es ist kein Pfad</translation>
    </message>
    <message>
        <source>This export was made by a newer memdesk, or is damaged.</source>
        <translation>Dieser Export stammt von einem neueren memdesk oder ist beschädigt.</translation>
    </message>
    <message>
        <source>A line of the export is damaged: {line}</source>
        <translation>Eine Zeile des Exports ist beschädigt: {line}</translation>
    </message>
    <message>
        <source>{name} must be a date and time with an offset.</source>
        <translation>{name} ist Datum und Uhrzeit mit Zeitzone.</translation>
    </message>
    <message>
        <source>This message is gone.</source>
        <translation>Diese Nachricht gibt es nicht mehr.</translation>
    </message>
    <message>
        <source>There is no such memory test.</source>
        <translation>Diesen Gedächtnistest gibt es nicht.</translation>
    </message>
    <message>
        <source>A memory test needs a question and the line that must be found for it.</source>
        <translation>Ein Gedächtnistest braucht eine Frage und die Zeile, die dafür gefunden werden muss.</translation>
    </message>
    <message>
        <source>There is no such line in a receipt any more.</source>
        <translation>Diese Zeile steht in keinem Beleg mehr.</translation>
    </message>
    <message>
        <source>The question of this reply is forgotten.</source>
        <translation>Die Frage zu dieser Antwort ist vergessen.</translation>
    </message>
    <message>
        <source>GET /memory/tests lists them.</source>
        <translation>GET /memory/tests zählt sie auf.</translation>
    </message>
    <message>
        <source>There is no agent &apos;{agent_id}&apos;.</source>
        <translation>Es gibt keinen Agenten „{agent_id}“.</translation>
    </message>
    <message>
        <source>Memory, Tests shows what changed.</source>
        <translation>Gedächtnis, Tests sagt, was sich verschoben hat.</translation>
    </message>
    <message>
        <source>Other lines took all the room.</source>
        <translation>Andere Zeilen haben den ganzen Platz belegt.</translation>
    </message>
    <message>
        <source>It is far less likely than the best line.</source>
        <translation>Sie ist viel unwahrscheinlicher als die beste Zeile.</translation>
    </message>
    <message>
        <source>It reads like an order to a model.</source>
        <translation>Sie liest sich wie ein Befehl an ein Modell.</translation>
    </message>
    <message>
        <source>It is kept for models on this machine.</source>
        <translation>Sie bleibt Modellen auf diesem Rechner vorbehalten.</translation>
    </message>
    <message>
        <source>It is in the bin.</source>
        <translation>Sie liegt im Papierkorb.</translation>
    </message>
    <message>
        <source>It is switched off.</source>
        <translation>Sie ist ausgeschaltet.</translation>
    </message>
    <message>
        <source>It is no longer true.</source>
        <translation>Sie stimmt nicht mehr.</translation>
    </message>
    <message>
        <source>It was merged into another one.</source>
        <translation>Sie wurde mit einer anderen zusammengelegt.</translation>
    </message>
    <message>
        <source>Nothing that is remembered says this.</source>
        <translation>Nichts Gemerktes sagt das.</translation>
    </message>
    <message>
        <source>The gate took the question for one that needs no memory.</source>
        <translation>Der Relevanzfilter hielt die Frage für eine, die kein Gedächtnis braucht.</translation>
    </message>
    <message>
        <source>It ranked {before} by likelihood, and now ranks {now}.</source>
        <translation>Sie war nach Wahrscheinlichkeit Zeile {before} und ist jetzt Zeile {now}.</translation>
    </message>
    <message>
        <source>It was found with {before}; the question is now read by {now}.</source>
        <translation>Gefunden wurde sie mit {before}; jetzt liest {now} die Frage.</translation>
    </message>
    <message>
        <source>Shown instead: {line}</source>
        <translation>Stattdessen gezeigt: {line}</translation>
    </message>
    <message>
        <source>It is forgotten.</source>
        <translation>Sie ist vergessen.</translation>
    </message>
    <message>
        <source>It ranks {now} by likelihood.</source>
        <translation>Sie ist nach Wahrscheinlichkeit Zeile {now}.</translation>
    </message>
    <message>
        <source>It was merged into: {line}</source>
        <translation>Sie wurde zusammengelegt mit: {line}</translation>
    </message>
    <message>
        <source>It was replaced by: {line}</source>
        <translation>Sie wurde ersetzt durch: {line}</translation>
    </message>
    <message>
        <source>It was left out.</source>
        <translation>Sie wurde weggelassen.</translation>
    </message>
    <message>
        <source>It is not among the lines that were looked at.</source>
        <translation>Sie ist nicht unter den Zeilen, die angesehen wurden.</translation>
    </message>
    <message>
        <source>words alone</source>
        <translation>nur Wörter</translation>
    </message>
    <message>
        <source>There is no tool server “{name}”.</source>
        <translation>Es gibt keinen Werkzeugserver „{name}“.</translation>
    </message>
    <message>
        <source>Runs can be undone for {days} days.</source>
        <translation>Läufe lassen sich {days} Tage lang rückgängig machen.</translation>
    </message>
    <message>
        <source>It was undone already.</source>
        <translation>Er wurde schon rückgängig gemacht.</translation>
    </message>
    <message>
        <source>The recovery code has not been tried for three months.</source>
        <translation>Der Wiederherstellungscode wurde seit drei Monaten nicht ausprobiert.</translation>
    </message>
    <message>
        <source>Try it under Settings, Privacy: it opens the memory when nothing else does.</source>
        <translation>Probiere ihn unter Einstellungen, Datenschutz aus: Er öffnet das Gedächtnis, wenn nichts anderes es mehr tut.</translation>
    </message>
    <message>
        <source>The embedding model {model} cannot be used.</source>
        <translation>Das Einbettungsmodell {model} lässt sich nicht verwenden.</translation>
    </message>
    <message>
        <source> by {name} (process {pid})</source>
        <translation> durch {name} (Prozess {pid})</translation>
    </message>
    <message>
        <source>Set its server up under Models first.</source>
        <translation>Richte erst seinen Server unter Modelle ein.</translation>
    </message>
    <message>
        <source>A picture is larger than 20 MB.</source>
        <translation>Ein Bild ist größer als 20 MB.</translation>
    </message>
    <message>
        <source>A picture is neither PNG, JPEG, GIF nor WebP, or is damaged.</source>
        <translation>Ein Bild ist weder PNG noch JPEG, GIF oder WebP, oder es ist beschädigt.</translation>
    </message>
    <message>
        <source>The data: URL of a picture is not valid base64.</source>
        <translation>Die data-Adresse eines Bildes ist nicht in Base64.</translation>
    </message>
    <message>
        <source>A picture was given by a web address.</source>
        <translation>Ein Bild ist als Adresse im Web angegeben.</translation>
    </message>
    <message>
        <source>A picture is not in base64, or was cut off.</source>
        <translation>Ein Bild ist nicht in Base64 oder wurde abgeschnitten.</translation>
    </message>
    <message>
        <source>Make it smaller, then try again.</source>
        <translation>Verkleinere es und versuche es noch einmal.</translation>
    </message>
    <message>
        <source>Nothing is fetched from there: send the picture itself, as a data: URL.</source>
        <translation>Von dort wird nichts geholt: Schicke das Bild selbst, als data:-Adresse.</translation>
    </message>
    <message>
        <source>what was planned has happened</source>
        <translation>was bevorstand, ist jetzt so</translation>
    </message>
    <message>
        <source>a later statement most likely takes its place</source>
        <translation>eine spätere Aussage tritt sehr wahrscheinlich an seine Stelle</translation>
    </message>
    <message>
        <source>a later statement may take its place; does it still hold?</source>
        <translation>eine spätere Aussage tritt vielleicht an seine Stelle; gilt es noch?</translation>
    </message>
    <message>
        <source>A link&apos;s address must begin with http:// or https:// and must not contain a password.</source>
        <translation>Die Adresse eines Links beginnt mit http:// oder https:// und enthält kein Passwort.</translation>
    </message>
    <message>
        <source>It is too long for a picture.</source>
        <translation>Es ist zu lang für ein Bild.</translation>
    </message>
    <message>
        <source>The font for diagrams has no “{sign}”.</source>
        <translation>Die Schrift für Diagramme hat kein „{sign}“.</translation>
    </message>
    <message>
        <source>Mermaid says: {reason}.</source>
        <translation>Mermaid meldet: {reason}.</translation>
    </message>
    <message>
        <source>It is too large for a picture.</source>
        <translation>Es ist zu groß für ein Bild.</translation>
    </message>
    <message>
        <source>{name} is not a model that reads text.</source>
        <translation>{name} ist kein Modell, das Text liest.</translation>
    </message>
    <message>
        <source>This graph needs {names}, which no embedding model takes.</source>
        <translation>Dieser Graph verlangt {names}; das tut kein Einbettungsmodell.</translation>
    </message>
    <message>
        <source>This file cannot be loaded as an embedding model: {error}</source>
        <translation>Diese Datei lässt sich nicht als Einbettungsmodell laden: {error}</translation>
    </message>
    <message>
        <source>It may be damaged, or of a newer kind than this llama.cpp knows.</source>
        <translation>Sie ist vielleicht beschädigt oder neuer, als dieses llama.cpp es kennt.</translation>
    </message>
    <message>
        <source>Choose the folder that holds tokenizer.json and the ONNX graph.</source>
        <translation>Wähle den Ordner mit tokenizer.json und dem ONNX-Graphen.</translation>
    </message>
    <message>
        <source>The model lost what it had read of a picture.</source>
        <translation>Das Modell hat verloren, was es von einem Bild gelesen hatte.</translation>
    </message>
    <message>
        <source>The file that reads pictures for this model cannot be used.</source>
        <translation>Die Datei, die für dieses Modell Bilder liest, lässt sich nicht verwenden.</translation>
    </message>
    <message>
        <source>The pictures cannot be read by this model ({code}).</source>
        <translation>Dieses Modell kann die Bilder nicht lesen ({code}).</translation>
    </message>
    <message>
        <source>The model failed while looking at a picture ({code}).</source>
        <translation>Das Modell ist beim Ansehen eines Bildes gescheitert ({code}).</translation>
    </message>
    <message>
        <source>A picture is damaged, or of a kind that cannot be read here.</source>
        <translation>Ein Bild ist beschädigt oder von einer Art, die hier nicht gelesen werden kann.</translation>
    </message>
    <message>
        <source>It may belong to another model, or be damaged: download it again, or move it away.</source>
        <translation>Sie gehört vielleicht zu einem anderen Modell oder ist beschädigt: Lade sie neu oder lege sie woanders hin.</translation>
    </message>
    <message>
        <source>The language engine gave an unreadable answer.</source>
        <translation>Das Sprachmodul hat etwas geantwortet, das niemand lesen kann.</translation>
    </message>
    <message>
        <source>{name} returned the wrong number of vectors, or vectors of the wrong length.</source>
        <translation>{name} hat Vektoren anderer Zahl oder Länge geliefert.</translation>
    </message>
    <message>
        <source>{name} answers, but not with vectors.</source>
        <translation>{name} antwortet, aber nicht mit Vektoren.</translation>
    </message>
    <message>
        <source>Start it, or check its address under Models.</source>
        <translation>Starte ihn, oder prüfe seine Adresse unter Modelle.</translation>
    </message>
    <message>
        <source>The model server wants to be paid first</source>
        <translation>Der Modellserver will zuerst bezahlt werden</translation>
    </message>
    <message>
        <source>Look at your account there, or choose another model.</source>
        <translation>Sieh in deinem Konto dort nach, oder wähle ein anderes Modell.</translation>
    </message>
    <message>
        <source>{name} is not running, or its address has changed.</source>
        <translation>{name} läuft nicht, oder die Adresse hat sich geändert.</translation>
    </message>
    <message>
        <source>{name} refuses this ({status}): {words}</source>
        <translation>{name} lehnt das ab ({status}): {words}</translation>
    </message>
    <message>
        <source>Choose another model, or enter its key again under Models.</source>
        <translation>Wähle ein anderes Modell, oder gib seinen Schlüssel unter Modelle neu ein.</translation>
    </message>
    <message>
        <source>this model</source>
        <translation>dieses Modell</translation>
    </message>
    <message>
        <source>Nothing can be recorded</source>
        <translation>Es kann nichts aufgenommen werden</translation>
    </message>
    <message>
        <source>Connect a microphone, and let memdesk use it in the system&apos;s settings.</source>
        <translation>Schließe ein Mikrofon an und erlaube es memdesk in den Einstellungen des Systems.</translation>
    </message>
    <message>
        <source>{server} is neither a server in the settings nor an address on this machine.</source>
        <translation>{server} ist kein entfernter Server der Einstellungen und keine Adresse auf diesem Rechner.</translation>
    </message>
    <message>
        <source>{name} cannot transcribe: it has no {route}.</source>
        <translation>{name} schreibt nichts auf: Es gibt dort kein {route}.</translation>
    </message>
    <message>
        <source>{name} answers, but not with text.</source>
        <translation>{name} antwortet, aber nicht mit Worten.</translation>
    </message>
    <message>
        <source>No microphone answers: {reason}.</source>
        <translation>Kein Mikrofon antwortet: {reason}.</translation>
    </message>
    <message>
        <source>Add a server elsewhere under Models first, then enter its name.</source>
        <translation>Füge einen Server anderswo erst unter Modelle hinzu und gib dann seinen Namen ein.</translation>
    </message>
    <message>
        <source>whisper.cpp&apos;s server needs --inference-path /v1/audio/transcriptions.</source>
        <translation>Der Server von whisper.cpp braucht --inference-path /v1/audio/transcriptions.</translation>
    </message>
    <message>
        <source>This model cannot see pictures</source>
        <translation>Dieses Modell nimmt keine Bilder an</translation>
    </message>
    <message>
        <source>Choose a model that can, or take the pictures out of the message.</source>
        <translation>Wähle eines, das es tut, oder nimm die Bilder aus der Nachricht.</translation>
    </message>
    <message>
        <source>This is not an export of memdesk.</source>
        <translation>Das ist kein Export von memdesk.</translation>
    </message>
    <message>
        <source>{name} is damaged: the picture in it cannot be read.</source>
        <translation>{name} ist beschädigt: Das Bild darin lässt sich nicht lesen.</translation>
    </message>
    <message>
        <source>Open it in another program and save it again.</source>
        <translation>Öffne es in einem anderen Programm und speichere es neu.</translation>
    </message>
    <message>
        <source>The tool server {name} sent more than {size} at once.</source>
        <translation>Der Werkzeugserver {name} hat mehr als {size} auf einmal gesendet.</translation>
    </message>
    <message>
        <source>its answer is not as the protocol wants it</source>
        <translation>seine Antwort entspricht nicht dem Protokoll</translation>
    </message>
    <message>
        <source>The shortcut is not available</source>
        <translation>Das Tastenkürzel ist nicht verfügbar</translation>
    </message>
    <message>
        <source>Bind the command “memdesk quick” to keys in your system&apos;s settings instead.</source>
        <translation>Lege stattdessen den Befehl „memdesk quick“ in den Einstellungen deines Systems auf Tasten.</translation>
    </message>
    <message>
        <source>macOS gives global shortcuts only to programs that may watch all keys.</source>
        <translation>macOS gibt globale Tastenkürzel nur Programmen, die alle Tasten beobachten dürfen.</translation>
    </message>
    <message>
        <source>Make a shortcut in the app Shortcuts that runs “memdesk quick”, and give it keys there.</source>
        <translation>Lege in der App Kurzbefehle einen an, der „memdesk quick“ ausführt, und gib ihm dort Tasten.</translation>
    </message>
    <message>
        <source>The desktop did not assign the shortcut.</source>
        <translation>Der Desktop hat die Tasten nicht vergeben.</translation>
    </message>
    <message>
        <source>The shortcut was not allowed.</source>
        <translation>Das Tastenkürzel wurde nicht erlaubt.</translation>
    </message>
    <message>
        <source>Another program uses {keys}.</source>
        <translation>Ein anderes Programm hat die Tasten {keys}.</translation>
    </message>
    <message>
        <source>This desktop has no session bus.</source>
        <translation>Dieser Desktop hat keinen Sitzungsbus.</translation>
    </message>
    <message>
        <source>This desktop offers no global shortcuts to programs.</source>
        <translation>Dieser Desktop bietet Programmen keine globalen Tastenkürzel.</translation>
    </message>
    <message>
        <source>The desktop did not answer in time.</source>
        <translation>Der Desktop hat nicht rechtzeitig geantwortet.</translation>
    </message>
    <message>
        <source> (process {pid})</source>
        <translation> (Prozess {pid})</translation>
    </message>
    <message>
        <source>“{name}” is the memory of a folder.</source>
        <translation>„{name}“ ist das Gedächtnis eines Ordners.</translation>
    </message>
    <message>
        <source>Delete the folder instead: its memory goes with it.</source>
        <translation>Lösche stattdessen den Ordner: Sein Gedächtnis geht mit ihm.</translation>
    </message>
    <message>
        <source>The model was given memory that stays on this machine, so you are asked before it sends anything.</source>
        <translation>Das Modell kennt Erinnerungen, die auf diesem Rechner bleiben; deshalb wirst du gefragt, bevor es etwas sendet.</translation>
    </message>
    <message>
        <source>a question</source>
        <translation>eine Frage</translation>
    </message>
    <message>
        <source>small talk</source>
        <translation>Geplauder</translation>
    </message>
    <message>
        <source>only supposed</source>
        <translation>nur angenommen</translation>
    </message>
    <message>
        <source>not decided yet</source>
        <translation>noch nicht entschieden</translation>
    </message>
    <message>
        <source>part of a story or a game</source>
        <translation>Teil einer Geschichte oder eines Spiels</translation>
    </message>
    <message>
        <source>a text to work on</source>
        <translation>ein Text zum Bearbeiten</translation>
    </message>
    <message>
        <source>about the answer</source>
        <translation>betrifft die Antwort</translation>
    </message>
    <message>
        <source>what somebody else said</source>
        <translation>was jemand anderes gesagt hat</translation>
    </message>
    <message>
        <source>what somebody else thinks</source>
        <translation>was jemand anderes denkt</translation>
    </message>
    <message>
        <source>said by the assistant</source>
        <translation>vom Assistenten gesagt</translation>
    </message>
    <message>
        <source>says nothing about you</source>
        <translation>sagt nichts über dich</translation>
    </message>
    <message>
        <source>states nothing</source>
        <translation>enthält keine Aussage</translation>
    </message>
    <message>
        <source>taken back</source>
        <translation>zurückgenommen</translation>
    </message>
    <message>
        <source>corrects nothing</source>
        <translation>berichtigt nichts</translation>
    </message>
    <message>
        <source>too long</source>
        <translation>zu lang</translation>
    </message>
    <message>
        <source>hides an instruction</source>
        <translation>versteckt eine Anweisung</translation>
    </message>
    <message>
        <source>only for the task at hand</source>
        <translation>gehört nur zur Aufgabe</translation>
    </message>
    <message>
        <source>true only for the moment</source>
        <translation>gilt nur im Augenblick</translation>
    </message>
    <message>
        <source>says too little by itself</source>
        <translation>sagt für sich allein zu wenig</translation>
    </message>
    <message>
        <source>Never store anything like: {content}</source>
        <translation>Nie etwas merken wie: {content}</translation>
    </message>
    <message>
        <source>{name} is empty.</source>
        <translation>{name} ist leer.</translation>
    </message>
    <message>
        <source>Save it in the program it is open in, then attach it.</source>
        <translation>Speichere die Datei in dem Programm, in dem sie offen ist, und hänge sie dann an.</translation>
    </message>
    <message>
        <source>Pictures, text, Markdown, HTML, PDF and Word (.docx) can be attached.</source>
        <translation>Bilder, Text, Markdown, HTML, PDF und Word (.docx) können angehängt werden.</translation>
    </message>
    <message>
        <source>Check that it still exists and that you may open it.</source>
        <translation>Sieh nach, ob sie noch da ist und ob du sie öffnen darfst.</translation>
    </message>
    <message>
        <source> and {rest} more</source>
        <translation> und {rest} weiteren</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>There is no such snapshot.</source>
        <translation>Diesen Schnappschuss gibt es nicht.</translation>
    </message>
    <message>
        <source>{name} cannot be read.</source>
        <translation>{name} ist nicht lesbar.</translation>
    </message>
    <message>
        <source>It reads exports of {titles}, and chats in Markdown. A ZIP may stay packed. A folder of notes is added under Settings, Memory, Notes; memories of mem0 with “memdesk import mem0 FILE”, a memory.jsonl with “memdesk graph import FILE”.</source>
        <translation>Gelesen werden Exporte von {titles} und Chats in Markdown. Ein ZIP darf gepackt bleiben. Ein Ordner mit Notizen kommt unter Einstellungen, Gedächtnis, Notizen dazu, Erinnerungen von mem0 mit „memdesk import mem0 DATEI“, eine memory.jsonl mit „memdesk graph import DATEI“.</translation>
    </message>
    <message>
        <source>its date cannot be read</source>
        <translation>das Datum ist nicht lesbar</translation>
    </message>
    <message>
        <source>{path} is a folder of the system.</source>
        <translation>{path} ist ein Ordner des Systems.</translation>
    </message>
    <message>
        <source>Choose a folder of your own.</source>
        <translation>Wähle einen eigenen Ordner.</translation>
    </message>
    <message>
        <source>Change its options with “memdesk notes change {id}”.</source>
        <translation>„memdesk notes change {id}“ ändert, wie.</translation>
    </message>
    <message>
        <source>That picture is no longer there.</source>
        <translation>Dieses Bild ist nicht mehr da.</translation>
    </message>
    <message>
        <source>This chat is in a folder with its own memory and cannot leave it.</source>
        <translation>Dieser Chat gehört zu einem Ordner mit eigenem Gedächtnis: Er kann ihn nicht verlassen.</translation>
    </message>
    <message>
        <source>What was said there stays there.</source>
        <translation>Was dort gesagt wurde, bleibt dort.</translation>
    </message>
    <message>
        <source>A folder&apos;s texts must be strings, its position a number from 0, and collapsed true or false.</source>
        <translation>Ein Ordner hat Texte, eine Position ab 0 und ist zugeklappt oder nicht.</translation>
    </message>
    <message>
        <source>A folder needs a name of 1 to 100 characters.</source>
        <translation>Ein Ordner braucht einen Namen von 1 bis 100 Zeichen.</translation>
    </message>
    <message>
        <source>A folder&apos;s instructions can have at most 100,000 characters.</source>
        <translation>Die Anweisungen eines Ordners haben höchstens 100.000 Zeichen.</translation>
    </message>
    <message>
        <source>There is no such folder.</source>
        <translation>Diesen Ordner gibt es nicht.</translation>
    </message>
    <message>
        <source>A folder has no field {join}.</source>
        <translation>Ein Ordner hat kein Feld {join}.</translation>
    </message>
    <message>
        <source>The folder “{name}” has a memory of its own.</source>
        <translation>Der Ordner „{name}“ hat ein eigenes Gedächtnis.</translation>
    </message>
    <message>
        <source>Its chats and all that was learned in them are deleted with it; confirm that to delete it.</source>
        <translation>Seine Chats und alles, was darin gelernt wurde, gehen mit ihm; sage das ausdrücklich, um ihn zu löschen.</translation>
    </message>
    <message>
        <source>Begin a new chat in it: what was said elsewhere stays there.</source>
        <translation>Beginne darin einen neuen Chat: Was anderswo gesagt wurde, bleibt dort.</translation>
    </message>
    <message>
        <source>Left out of memory: {kinds}. Store it as a fact to keep it on purpose.</source>
        <translation>Nicht gemerkt: {kinds}. Um es bewusst zu behalten, speichere es als Fakt.</translation>
    </message>
    <message>
        <source>There is no type “{value}”.</source>
        <translation>Einen Typ „{value}“ gibt es nicht.</translation>
    </message>
    <message>
        <source>Another item of this scope has the key.</source>
        <translation>Ein anderer Eintrag dieses Bereichs hat den Schlüssel.</translation>
    </message>
    <message>
        <source>The arguments of {name} are not a JSON object.</source>
        <translation>Die Argumente von {name} sind kein JSON-Objekt.</translation>
    </message>
    <message>
        <source>“{tool}” of {server} is not what it was when its tools were read.</source>
        <translation>„{tool}“ von {server} ist nicht mehr das, was es war, als die Werkzeuge gelesen wurden.</translation>
    </message>
    <message>
        <source>Read its tools again under Settings, Engine.</source>
        <translation>Die Werkzeuge unter Einstellungen, Engine neu lesen.</translation>
    </message>
    <message>
        <source>Merging duplicates</source>
        <translation>Doppeltes wird zusammengeführt</translation>
    </message>
    <message>
        <source>Strengthening what keeps coming up</source>
        <translation>Was immer wiederkehrt, wird gestärkt</translation>
    </message>
    <message>
        <source>{why} ({count})</source>
        <translation>{why} ({count})</translation>
    </message>
    <message>
        <source>Then retry, under Diagnostics or with: memdesk distill --retry-parked</source>
        <translation>Dann erneut versuchen, unter Diagnose oder mit: memdesk distill --retry-parked</translation>
    </message>
    <message>
        <source>It is retried automatically; memdesk distill retries it at once.</source>
        <translation>Es wird von selbst erneut versucht; memdesk distill tut es sofort.</translation>
    </message>
    <message>
        <source>One message waits for its conversation to rest.</source>
        <translation>Eine Nachricht wartet, bis ihr Gespräch ruht.</translation>
    </message>
    <message>
        <source>Search uses words only. Choose another model in the settings.</source>
        <translation>Gesucht wird nur nach Wörtern. Wähle in den Einstellungen ein anderes Modell.</translation>
    </message>
    <message>
        <source>Search still uses the previous model. Choose another one in the settings.</source>
        <translation>Die Suche läuft mit dem bisherigen Modell weiter. Wähle in den Einstellungen ein anderes.</translation>
    </message>
    <message>
        <source>This runs in the background; search uses the previous model until it is done.</source>
        <translation>Das läuft im Hintergrund; bis alle da sind, sucht memdesk mit dem bisherigen Modell.</translation>
    </message>
    <message>
        <source>Up to date. Texts leave this machine to be embedded.</source>
        <translation>Auf dem neuesten Stand. Texte verlassen für ihre Vektoren diesen Rechner.</translation>
    </message>
    <message>
        <source>Secrets and what is kept for models here do not; with a model on this machine, nothing does.</source>
        <translation>Geheimnisse und was Modellen hier vorbehalten ist nicht; mit einem Modell auf diesem Rechner bleibt alles hier.</translation>
    </message>
    <message>
        <source>Passed over: {passed}.</source>
        <translation>Dort übergangen: {passed}.</translation>
    </message>
    <message>
        <source>Move it away, then start memdesk again.</source>
        <translation>Verschiebe es anderswohin und starte memdesk neu.</translation>
    </message>
    <message>
        <source>This memory was written by a newer memdesk</source>
        <translation>Dieses Gedächtnis stammt von einem neueren memdesk</translation>
    </message>
    <message>
        <source>Update memdesk, or open the backup that was made before the update.</source>
        <translation>Aktualisiere memdesk, oder öffne die Sicherung von vor der Aktualisierung.</translation>
    </message>
    <message>
        <source>Another memdesk is using this memory</source>
        <translation>Ein anderes memdesk benutzt dieses Gedächtnis</translation>
    </message>
    <message>
        <source>Use the memdesk that is already running, or quit it first.</source>
        <translation>Nimm das memdesk, das schon läuft, oder beende es zuerst.</translation>
    </message>
    <message>
        <source>The memory is busy</source>
        <translation>Das Gedächtnis ist beschäftigt</translation>
    </message>
    <message>
        <source>Try again in a moment.</source>
        <translation>Versuche es gleich noch einmal.</translation>
    </message>
    <message>
        <source>That conflicts with what is stored</source>
        <translation>Das passt nicht zum Gespeicherten</translation>
    </message>
    <message>
        <source>That page cannot be found</source>
        <translation>Diese Seite gibt es nicht</translation>
    </message>
    <message>
        <source>Ask for the first page again, without a cursor.</source>
        <translation>Frage die erste Seite neu ab, ohne Cursor.</translation>
    </message>
    <message>
        <source>The vault cannot be used</source>
        <translation>Der Tresor ist nicht brauchbar</translation>
    </message>
    <message>
        <source>The vault file is missing</source>
        <translation>Die Tresordatei fehlt</translation>
    </message>
    <message>
        <source>Put vault.json back beside memory.db (a backup holds it). Without it the memory cannot be read; memdesk will not create a new vault over an existing memory.</source>
        <translation>Lege vault.json wieder neben memory.db (eine Sicherung enthält sie). Ohne sie ist das Gedächtnis nicht lesbar; memdesk legt über einem vorhandenen Gedächtnis keinen neuen Tresor an.</translation>
    </message>
    <message>
        <source>The vault file is damaged</source>
        <translation>Die Tresordatei ist beschädigt</translation>
    </message>
    <message>
        <source>Restore vault.json from a backup; the recovery code works with any copy of it.</source>
        <translation>Stelle vault.json aus einer Sicherung wieder her; der Wiederherstellungscode passt zu jeder Kopie.</translation>
    </message>
    <message>
        <source>This vault was written by a newer memdesk</source>
        <translation>Dieser Tresor stammt von einem neueren memdesk</translation>
    </message>
    <message>
        <source>Update memdesk.</source>
        <translation>Aktualisiere memdesk.</translation>
    </message>
    <message>
        <source>No keyring on this system</source>
        <translation>Kein Schlüsselbund auf diesem System</translation>
    </message>
    <message>
        <source>There is a vault already</source>
        <translation>Es gibt schon einen Tresor</translation>
    </message>
    <message>
        <source>memdesk is not set up yet</source>
        <translation>memdesk ist noch nicht eingerichtet</translation>
    </message>
    <message>
        <source>Start memdesk once and follow the first steps.</source>
        <translation>Starte memdesk einmal und folge den ersten Schritten.</translation>
    </message>
    <message>
        <source>The key is not in your keyring</source>
        <translation>Der Schlüssel ist nicht in deinem Schlüsselbund</translation>
    </message>
    <message>
        <source>Enter the recovery code you kept at the first start; memdesk puts the key back into the keyring.</source>
        <translation>Gib den Wiederherstellungscode vom ersten Start ein; memdesk legt den Schlüssel wieder in den Schlüsselbund.</translation>
    </message>
    <message>
        <source>A passphrase is needed</source>
        <translation>Eine Passphrase ist nötig</translation>
    </message>
    <message>
        <source>Wrong passphrase</source>
        <translation>Falsche Passphrase</translation>
    </message>
    <message>
        <source>Check Caps Lock and the keyboard layout, or use the recovery code.</source>
        <translation>Prüfe Feststelltaste und Tastaturbelegung, oder nimm den Wiederherstellungscode.</translation>
    </message>
    <message>
        <source>That is not this vault&apos;s recovery code</source>
        <translation>Das ist nicht der Wiederherstellungscode dieses Tresors</translation>
    </message>
    <message>
        <source>Only the newest code opens the vault. Look for a newer note of it.</source>
        <translation>Nur der neueste Code öffnet den Tresor. Such nach einer späteren Notiz.</translation>
    </message>
    <message>
        <source>The recovery code has a typo</source>
        <translation>Der Wiederherstellungscode hat einen Tippfehler</translation>
    </message>
    <message>
        <source>Compare it with your note, group by group: seven groups of four letters and digits.</source>
        <translation>Vergleiche ihn Gruppe für Gruppe mit deiner Notiz: sieben Gruppen aus vier Buchstaben und Ziffern.</translation>
    </message>
    <message>
        <source>{path} was here, and is not any more.</source>
        <translation>{path} war hier und ist nicht mehr da.</translation>
    </message>
    <message>
        <source>Put it back, or restore a backup. Delete {marker} to begin with an empty memory.</source>
        <translation>Lege sie zurück oder stelle eine Sicherung wieder her. Lösche {marker}, um mit einem leeren Gedächtnis zu beginnen.</translation>
    </message>
    <message numerus="yes">
        <source>%n episodes of the last {recent_days} days speak of it</source>
        <translation>
            <numerusform>%Ln Episode der letzten {recent_days} Tage spricht davon</numerusform>
            <numerusform>%Ln Episoden der letzten {recent_days} Tage sprechen davon</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The prompt has %n tokens; this model sees {n_ctx} at once.</source>
        <translation>
            <numerusform>Die Eingabe hat %Ln Token; dieses Modell sieht {n_ctx} auf einmal.</numerusform>
            <numerusform>Die Eingabe hat %Ln Token; dieses Modell sieht {n_ctx} auf einmal.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The tool server {name} did not answer within %n seconds.</source>
        <translation>
            <numerusform>Der Werkzeugserver {name} hat binnen %Ln Sekunde nicht geantwortet.</numerusform>
            <numerusform>Der Werkzeugserver {name} hat binnen %Ln Sekunden nicht geantwortet.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n statements stay: other conversations say the same.</source>
        <translation>
            <numerusform>%Ln Aussage bleibt: andere Gespräche sagen dasselbe.</numerusform>
            <numerusform>%Ln Aussagen bleiben: andere Gespräche sagen dasselbe.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{folder} holds more than %n files.</source>
        <translation>
            <numerusform>{folder} enthält mehr als %Ln Datei.</numerusform>
            <numerusform>{folder} enthält mehr als %Ln Dateien.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n files</source>
        <translation>
            <numerusform>%Ln Datei</numerusform>
            <numerusform>%Ln Dateien</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Not found any more: %n memory tests</source>
        <translation>
            <numerusform>Nicht mehr gefunden: %Ln Gedächtnistest</numerusform>
            <numerusform>Nicht mehr gefunden: %Ln Gedächtnistests</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chosen changes not made: something has changed since the preview, or it builds on a change that was not chosen.</source>
        <translation>
            <numerusform>%Ln gewählte Änderung wurde nicht gemacht: Seit der Vorschau hat sich etwas geändert, oder sie baut auf einer nicht gewählten Änderung auf.</numerusform>
            <numerusform>%Ln gewählte Änderungen wurden nicht gemacht: Seit der Vorschau hat sich etwas geändert, oder sie bauen auf einer nicht gewählten Änderung auf.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Left without quotes: %n facts learned from it.</source>
        <translation>
            <numerusform>%Ln daraus gelernter Fakt bleibt, ohne Zitat.</numerusform>
            <numerusform>%Ln daraus gelernte Fakten bleiben, ohne Zitate.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The full text of %n attached files goes too.</source>
        <translation>
            <numerusform>Damit geht auch der ganze Text von %Ln angehängten Datei.</numerusform>
            <numerusform>Damit geht auch der ganze Text von %Ln angehängten Dateien.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>It is still in %n messages of the transcript. Forget the messages too, or the conversation, if the words themselves must go.</source>
        <translation>
            <numerusform>Es steht noch in %Ln Nachricht im Wortlaut. Vergiss auch sie oder das Gespräch, wenn die Worte selbst fort sollen.</numerusform>
            <numerusform>Es steht noch in %Ln Nachrichten im Wortlaut. Vergiss auch sie oder das Gespräch, wenn die Worte selbst fort sollen.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Left in the transcript: %n messages with the name “{name}”, in {titles}{more}; nothing is learned from those sentences again. Forget the messages too if the name itself must go.</source>
        <translation>
            <numerusform>%Ln Nachricht, die „{name}“ nennt, bleibt im Wortlaut, in {titles}{more}; aus diesen Sätzen wird nichts mehr gelernt. Vergiss auch die Nachricht, wenn der Name selbst fort soll.</numerusform>
            <numerusform>%Ln Nachrichten, die „{name}“ nennen, bleiben im Wortlaut, in {titles}{more}; aus diesen Sätzen wird nichts mehr gelernt. Vergiss auch die Nachrichten, wenn der Name selbst fort soll.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n texts embedded</source>
        <translation>
            <numerusform>%Ln Text eingebettet</numerusform>
            <numerusform>%Ln Texte eingebettet</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>A turn has more than %n characters.</source>
        <translation>
            <numerusform>Eine Nachricht hat mehr als %Ln Zeichen.</numerusform>
            <numerusform>Eine Nachricht hat mehr als %Ln Zeichen.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{name} can have at most {value} entries of %n characters.</source>
        <translation>
            <numerusform>{name} hat höchstens {value} Einträge mit %Ln Zeichen.</numerusform>
            <numerusform>{name} hat höchstens {value} Einträge mit %Ln Zeichen.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Set aside since {since}: %n turns. {why}</source>
        <translation>
            <numerusform>Zurückgestellt seit {since}: %Ln Nachricht. {why}</numerusform>
            <numerusform>Zurückgestellt seit {since}: %Ln Nachrichten. {why}</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Waiting since {since}: %n turns. {why}</source>
        <translation>
            <numerusform>Seit {since} wartet %Ln Nachricht. {why}</numerusform>
            <numerusform>Seit {since} warten %Ln Nachrichten. {why}</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n messages wait for their conversations to rest.</source>
        <translation>
            <numerusform>%Ln Nachricht wartet, bis ihr Gespräch ruht.</numerusform>
            <numerusform>%Ln Nachrichten warten, bis ihre Gespräche ruhen.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n texts are waiting to be embedded by the new model.</source>
        <translation>
            <numerusform>%Ln Text wartet auf seinen Vektor des neuen Einbettungsmodells.</numerusform>
            <numerusform>%Ln Texte warten auf ihre Vektoren des neuen Einbettungsmodells.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n texts are waiting to be embedded.</source>
        <translation>
            <numerusform>%Ln Text wartet auf seinen Vektor.</numerusform>
            <numerusform>%Ln Texte warten auf ihre Vektoren.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n changes undone.</source>
        <translation>
            <numerusform>%Ln Änderung wurde zurückgenommen.</numerusform>
            <numerusform>%Ln Änderungen wurden zurückgenommen.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n changes left alone: something else has come after.</source>
        <translation>
            <numerusform>%Ln Änderung blieb, wie sie ist: Seither ist etwas anderes dazugekommen.</numerusform>
            <numerusform>%Ln Änderungen blieben, wie sie sind: Seither ist etwas anderes dazugekommen.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n changes skipped: what it changed is gone.</source>
        <translation>
            <numerusform>%Ln Änderung wurde übergangen: Was sie betraf, gibt es nicht mehr.</numerusform>
            <numerusform>%Ln Änderungen wurden übergangen: Was sie betrafen, gibt es nicht mehr.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n loaded; others start when needed.</source>
        <translation>
            <numerusform>%Ln geladen; andere starten bei Bedarf.</numerusform>
            <numerusform>%Ln geladen; andere starten bei Bedarf.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{what} must have 1 to %n characters.</source>
        <translation>
            <numerusform>{what}: 1 bis %Ln Zeichen.</numerusform>
            <numerusform>{what}: 1 bis %Ln Zeichen.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>A key can have at most %n characters.</source>
        <translation>
            <numerusform>Ein Schlüssel hat höchstens %Ln Zeichen.</numerusform>
            <numerusform>Ein Schlüssel hat höchstens %Ln Zeichen.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Recently left out of memory: %n secrets. The chat shows it and keeps it if you want; programs can store it as a fact.</source>
        <translation>
            <numerusform>Zuletzt nicht gemerkt: %Ln Geheimnis. Der Chat nennt es und behält es auf Wunsch; Programme speichern es als Fakt.</numerusform>
            <numerusform>Zuletzt nicht gemerkt: %Ln Geheimnisse. Der Chat nennt sie und behält sie auf Wunsch; Programme speichern sie als Fakt.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Open and encrypted; %n turns.</source>
        <translation>
            <numerusform>Offen und verschlüsselt; %Ln Nachricht.</numerusform>
            <numerusform>Offen und verschlüsselt; %Ln Nachrichten.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The last %n conversations brought nothing to remember.</source>
        <translation>
            <numerusform>Das letzte Gespräch brachte nichts zum Merken.</numerusform>
            <numerusform>Die letzten %Ln Gespräche brachten nichts zum Merken.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n of {len} engines stopped: {redact}</source>
        <translation>
            <numerusform>%Ln von {len} Engines ist stehen geblieben: {redact}</numerusform>
            <numerusform>%Ln von {len} Engines sind stehen geblieben: {redact}</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n conversations not read: {why}</source>
        <translation>
            <numerusform>%Ln Gespräch nicht gelesen: {why}</numerusform>
            <numerusform>%Ln Gespräche nicht gelesen: {why}</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n turns wait, and no core model is chosen.</source>
        <translation>
            <numerusform>%Ln Nachricht wartet, und es ist kein Kernmodell gewählt.</numerusform>
            <numerusform>%Ln Nachrichten warten, und es ist kein Kernmodell gewählt.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The update of {name} needs %n free bytes beside it.</source>
        <translation>
            <numerusform>Die Aktualisierung von {name} braucht daneben %Ln freies Byte.</numerusform>
            <numerusform>Die Aktualisierung von {name} braucht daneben %Ln freie Bytes.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>A new key needs %n free bytes beside {name}.</source>
        <translation>
            <numerusform>Ein neuer Schlüssel braucht %Ln freies Byte neben {name}.</numerusform>
            <numerusform>Ein neuer Schlüssel braucht %Ln freie Bytes neben {name}.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{path} is cut off: %n of its {count} pages are missing.</source>
        <translation>
            <numerusform>{path} ist abgeschnitten: %Ln von {count} Seiten fehlt.</numerusform>
            <numerusform>{path} ist abgeschnitten: %Ln von {count} Seiten fehlen.</numerusform>
        </translation>
    </message>
    <message>
        <source>Vault</source>
        <translation>Tresor</translation>
    </message>
    <message>
        <source>The key is in memory.</source>
        <translation>Der Schlüssel ist geladen.</translation>
    </message>
    <message>
        <source>Engines</source>
        <translation>Engines</translation>
    </message>
    <message>
        <source>Index</source>
        <translation>Index</translation>
    </message>
    <message>
        <source>Consolidation</source>
        <translation>Konsolidierung</translation>
    </message>
    <message>
        <source>Not running.</source>
        <translation>Läuft nicht.</translation>
    </message>
    <message>
        <source>memdesk is locked.</source>
        <translation>memdesk ist gesperrt.</translation>
    </message>
    <message>
        <source>Unlock it to use it.</source>
        <translation>Entsperre es, um es zu benutzen.</translation>
    </message>
    <message>
        <source>Closed while memdesk is locked.</source>
        <translation>Geschlossen, solange memdesk gesperrt ist.</translation>
    </message>
    <message>
        <source>They restart by themselves. If it keeps happening, choose a smaller model or fewer threads.</source>
        <translation>Sie starten von selbst neu. Geht es so weiter, wähle ein kleineres Modell oder weniger Threads.</translation>
    </message>
    <message>
        <source>Search by words still works.</source>
        <translation>Die Suche nach Wörtern geht weiter.</translation>
    </message>
    <message>
        <source>This runs in the background; meanwhile they are found by their words.</source>
        <translation>Das läuft im Hintergrund; bis dahin findet sie die Suche nach Wörtern.</translation>
    </message>
    <message>
        <source>Choose one under Models.</source>
        <translation>Wähle eines unter Modelle.</translation>
    </message>
    <message>
        <source>Change the port, then restart.</source>
        <translation>Ändere den Port und starte dann neu.</translation>
    </message>
    <message>
        <source>Switched off in the settings.</source>
        <translation>In den Einstellungen ausgeschaltet.</translation>
    </message>
    <message>
        <source>home</source>
        <extracomment>A placeholder. All are filled in one pass: a value may contain what looks like another. Words that fill placeholders: what a claim is about, what was changed.</extracomment>
        <translation>Wohnort</translation>
    </message>
    <message>
        <source>employer</source>
        <translation>Arbeitgeber</translation>
    </message>
    <message>
        <source>job</source>
        <translation>Beruf</translation>
    </message>
    <message>
        <source>name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>birthday</source>
        <translation>Geburtstag</translation>
    </message>
    <message>
        <source>partner</source>
        <translation>Partner</translation>
    </message>
    <message>
        <source>decay</source>
        <translation>Verblassen</translation>
    </message>
    <message>
        <source>merge</source>
        <translation>Zusammenführen</translation>
    </message>
    <message>
        <source>promote</source>
        <translation>Aufwerten</translation>
    </message>
    <message>
        <source>evict</source>
        <translation>in den Papierkorb</translation>
    </message>
    <message>
        <source>prune</source>
        <translation>Aussortieren</translation>
    </message>
    <message>
        <source>identity</source>
        <translation>über dich</translation>
    </message>
    <message>
        <source>preference</source>
        <translation>Vorliebe</translation>
    </message>
    <message>
        <source>decision</source>
        <translation>Entscheidung</translation>
    </message>
    <message>
        <source>commitment</source>
        <translation>Zusage</translation>
    </message>
    <message>
        <source>relationship</source>
        <translation>Beziehung</translation>
    </message>
    <message>
        <source>event</source>
        <translation>Ereignis</translation>
    </message>
    <message>
        <source>skill</source>
        <translation>Fähigkeit</translation>
    </message>
    <message>
        <source>correction</source>
        <translation>Berichtigung</translation>
    </message>
    <message>
        <source>other</source>
        <translation>Sonstiges</translation>
    </message>
</context>
<context>
    <name>settings</name>
    <message>
        <source>Remembering</source>
        <extracomment>Sections in the order shown, with their fields by group. Fields not listed go to &quot;More&quot;.</extracomment>
        <translation>Merken</translation>
    </message>
    <message>
        <source>Recalling</source>
        <translation>Erinnern</translation>
    </message>
    <message>
        <source>Ageing</source>
        <translation>Altern</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>Notizen</translation>
    </message>
    <message>
        <source>What stays here</source>
        <translation>Was hier bleibt</translation>
    </message>
    <message>
        <source>Copies</source>
        <translation>Kopien</translation>
    </message>
    <message>
        <source>Copy in Qdrant</source>
        <translation>Kopie in Qdrant</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>Modelle</translation>
    </message>
    <message>
        <source>Where models come from</source>
        <translation>Woher Modelle kommen</translation>
    </message>
    <message>
        <source>Voice input</source>
        <translation>Spracheingabe</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>Werkzeuge</translation>
    </message>
    <message>
        <source>Local server</source>
        <translation>Lokaler Server</translation>
    </message>
    <message>
        <source>Look</source>
        <translation>Aussehen</translation>
    </message>
    <message>
        <source>Behavior</source>
        <translation>Verhalten</translation>
    </message>
    <message>
        <source>Memory</source>
        <extracomment>Options whose value is a model&apos;s id. Options whose value is a text, with their own editor.</extracomment>
        <translation>Gedächtnis</translation>
    </message>
    <message>
        <source>Engine</source>
        <translation>Engine</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>Server</translation>
    </message>
    <message>
        <source>Programs</source>
        <translation>Programme</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>Aussehen</translation>
    </message>
    <message>
        <source>Privacy</source>
        <translation>Privatsphäre</translation>
    </message>
    <message>
        <source>On</source>
        <extracomment>Labels of choices in the window; the schema&apos;s names are for files and programs.</extracomment>
        <translation>An</translation>
    </message>
    <message>
        <source>Off: search by words only</source>
        <translation>Aus: nur nach Wörtern suchen</translation>
    </message>
    <message>
        <source>Off: every reply gets episodes</source>
        <translation>Aus: jede Antwort bekommt Episoden</translation>
    </message>
    <message>
        <source>When a conversation rests</source>
        <translation>Wenn ein Gespräch ruht</translation>
    </message>
    <message>
        <source>Only when I ask</source>
        <translation>Nur auf Wunsch</translation>
    </message>
    <message>
        <source>When it rests, without a model</source>
        <translation>Wenn es ruht, ohne Modell</translation>
    </message>
    <message>
        <source>Rules</source>
        <translation>Regeln</translation>
    </message>
    <message>
        <source>The core model</source>
        <translation>Das Kernmodell</translation>
    </message>
    <message>
        <source>Same as the system</source>
        <translation>Wie das System</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Hell</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <source>Remember what is said and use it in replies.</source>
        <translation>Gesagtes merken und in Antworten nutzen.</translation>
    </message>
    <message>
        <source>Search by meaning</source>
        <translation>Suche nach Bedeutung</translation>
    </message>
    <message>
        <source>Finds what is meant, not only what is written. Without it (none) search goes by words alone.</source>
        <translation>Findet, was gemeint ist, nicht nur, was geschrieben steht. Ohne sie sucht memdesk nur nach Wörtern.</translation>
    </message>
    <message>
        <source>Embedding model</source>
        <translation>Einbettungsmodell</translation>
    </message>
    <message>
        <source>Turns texts into vectors: the bundled model, the folder of a sentence-transformers or ONNX model, a GGUF file, or a model of one of your servers as remote:SERVER/MODEL; auto takes the first on this machine that can be opened. With a server elsewhere, what is remembered leaves this machine, except what is kept here. A change re-embeds in the background; until then the previous model is used.</source>
        <translation>Macht aus Texten Vektoren: das mitgelieferte Modell, der Ordner eines sentence-transformers- oder ONNX-Modells, eine GGUF-Datei oder ein Modell eines deiner Server als remote:SERVER/MODELL; auto nimmt das erste auf diesem Rechner, das sich öffnen lässt. Bei einem Server anderswo verlassen Erinnerungen diesen Rechner, außer denen, die hier bleiben sollen. Nach einem Wechsel wird im Hintergrund neu berechnet; bis dahin antwortet das bisherige Modell.</translation>
    </message>
    <message>
        <source>When to distill</source>
        <translation>Wann destillieren</translation>
    </message>
    <message>
        <source>After a conversation rests (sessionEnd), only on request (manual), or after it rests but without a model (rules).</source>
        <translation>Wenn ein Gespräch ruht, nur auf Wunsch, oder wenn es ruht, aber ohne Modell.</translation>
    </message>
    <message>
        <source>Relevance gate</source>
        <translation>Relevanzfilter</translation>
    </message>
    <message>
        <source>Memory budget</source>
        <translation>Gedächtnis-Budget</translation>
    </message>
    <message>
        <source>The most memory that a reply is given, in tokens. 0 gives none; memory is still kept and searched.</source>
        <translation>So viel Erinnerung bekommt eine Antwort höchstens, in Token. Bei 0 keine; behalten und durchsucht wird weiterhin.</translation>
    </message>
    <message>
        <source>Rest before distilling</source>
        <translation>Ruhe vor dem Destillieren</translation>
    </message>
    <message>
        <source>Consolidate every</source>
        <translation>Konsolidieren alle</translation>
    </message>
    <message>
        <source>Hours between two consolidation passes.</source>
        <translation>Stunden zwischen zwei Konsolidierungen.</translation>
    </message>
    <message>
        <source>Salience floor</source>
        <translation>Mindestgewicht</translation>
    </message>
    <message>
        <source>Keep episodes for</source>
        <translation>Episoden behalten für</translation>
    </message>
    <message>
        <source>Kept for models on this machine</source>
        <translation>Bleibt bei Modellen auf diesem Rechner</translation>
    </message>
    <message>
        <source>Memory about these things is never given to a model or program on another machine. Secrets are masked for them in any case.</source>
        <translation>Was davon spricht, bekommt kein Modell oder Programm auf einem anderen Rechner. Geheimnisse werden für sie in jedem Fall unkenntlich gemacht.</translation>
    </message>
    <message>
        <source>Daily snapshots</source>
        <translation>Tägliche Schnappschüsse</translation>
    </message>
    <message>
        <source>Keep an encrypted copy of the memory beside it each day, and fewer of older days. Forgetting drops those made before.</source>
        <translation>Jeden Tag eine verschlüsselte Kopie des Gedächtnisses daneben ablegen, von älteren Tagen weniger. Vergessen löscht die Kopien von vorher.</translation>
    </message>
    <message>
        <source>Room for snapshots</source>
        <translation>Platz für Schnappschüsse</translation>
    </message>
    <message>
        <source>Megabytes that snapshots may take. The oldest go first.</source>
        <translation>So viele Megabyte dürfen Schnappschüsse belegen. Die ältesten gehen zuerst.</translation>
    </message>
    <message>
        <source>Core model</source>
        <translation>Kernmodell</translation>
    </message>
    <message>
        <source>The model that distills. Empty: messages wait until one is chosen.</source>
        <translation>Das Modell, das destilliert. Ohne eines warten Nachrichten, bis eines gewählt ist.</translation>
    </message>
    <message>
        <source>Your own gate phrases</source>
        <translation>Eigene Wendungen für den Relevanzfilter</translation>
    </message>
    <message>
        <source>Folders of notes</source>
        <translation>Notizordner</translation>
    </message>
    <message>
        <source>Files that are remembered as they stand, and watched: Markdown, text, HTML, PDF, Word.</source>
        <translation>Dateien, die so gemerkt werden, wie sie sind, und beobachtet: Markdown, Text, HTML, PDF, Word.</translation>
    </message>
    <message>
        <source>Copy entries to Qdrant</source>
        <translation>Einträge nach Qdrant kopieren</translation>
    </message>
    <message>
        <source>Vectors of the entries that programs keep by key, with ids and times, are sent from this encrypted memory to the address below; no text is. Hits there count when programs search their entries.</source>
        <translation>Zahlen, die für die Bedeutung der Einträge stehen, die Programme unter einem Schlüssel ablegen, verlassen mit deren Kennungen und Zeiten dieses verschlüsselte Gedächtnis zu der Adresse darunter; kein Text. Was dort gefunden wird, zählt, wenn Programme ihre Einträge durchsuchen.</translation>
    </message>
    <message>
        <source>Qdrant&apos;s address</source>
        <translation>Adresse von Qdrant</translation>
    </message>
    <message>
        <source>Qdrant&apos;s collection</source>
        <translation>Sammlung in Qdrant</translation>
    </message>
    <message>
        <source>Made there, and used by memdesk alone: up to 48 lower-case letters, digits and underscores.</source>
        <translation>Wird dort angelegt und nur von memdesk benutzt: bis zu 48 Kleinbuchstaben, Ziffern und Unterstriche.</translation>
    </message>
    <message>
        <source>Chat model</source>
        <translation>Chat-Modell</translation>
    </message>
    <message>
        <source>Used by agents that name no model of their own.</source>
        <translation>Für Agenten, die kein eigenes Modell nennen.</translation>
    </message>
    <message>
        <source>Name new chats</source>
        <translation>Neue Chats benennen</translation>
    </message>
    <message>
        <source>The model that answers names a chat after its first answer. The bundled model is not asked.</source>
        <translation>Das Modell, das antwortet, benennt einen Chat nach seiner ersten Antwort. Das mitgelieferte Modell wird nicht gefragt.</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>Threads</translation>
    </message>
    <message>
        <source>0 uses the machine&apos;s physical cores.</source>
        <translation>0 nutzt alle physischen Kerne des Rechners.</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>Kontext</translation>
    </message>
    <message>
        <source>Tokens a local model may see at once; never above what the model was trained for.</source>
        <translation>Token, die ein lokales Modell auf einmal sieht; nie mehr, als es gelernt hat.</translation>
    </message>
    <message>
        <source>Unload when idle</source>
        <translation>Entladen bei Untätigkeit</translation>
    </message>
    <message>
        <source>Seconds without use before a model or a large search index leaves memory.</source>
        <translation>Sekunden ohne Nutzung, bis ein Modell oder ein großer Suchindex den Arbeitsspeicher verlässt.</translation>
    </message>
    <message>
        <source>Give up after</source>
        <translation>Aufgeben nach</translation>
    </message>
    <message>
        <source>Seconds without a single token before the engine is considered hung.</source>
        <translation>Sekunden ohne ein einziges Token, bis die Engine als hängend gilt.</translation>
    </message>
    <message>
        <source>More model folders</source>
        <translation>Weitere Modellordner</translation>
    </message>
    <message>
        <source>Remote servers</source>
        <translation>Entfernte Server</translation>
    </message>
    <message>
        <source>OpenAI-compatible servers whose models are offered. Their keys are in the OS keyring, or in the encrypted memory where there is none.</source>
        <translation>OpenAI-kompatible Server, deren Modelle angeboten werden. Ihre Schlüssel liegen im Schlüsselbund des Systems, oder im verschlüsselten Gedächtnis, wo es keinen gibt.</translation>
    </message>
    <message>
        <source>Models without a system role</source>
        <translation>Modelle ohne Systemrolle</translation>
    </message>
    <message>
        <source>More models of remote servers that refuse instructions of their own, by name; * stands for any letters. The user&apos;s message says them, as with gemma-3*, o1-mini* and o1-preview*.</source>
        <translation>Weitere Modelle entfernter Server, die eigene Anweisungen ablehnen, nach Namen; * steht für beliebige Zeichen. Sie stehen dann in der Nachricht des Benutzers, wie bei gemma-3*, o1-mini* und o1-preview*.</translation>
    </message>
    <message>
        <source>The server that transcribes what you say: an address on this machine, such as http://127.0.0.1:8080/v1 (whisper.cpp, speaches), or the name of a remote server above. Empty: no voice input.</source>
        <translation>Dieser Server schreibt auf, was du sagst: die Adresse eines Servers auf diesem Rechner, etwa http://127.0.0.1:8080/v1 (whisper.cpp, speaches), oder der Name eines entfernten Servers von oben. Leer: keine Spracheingabe.</translation>
    </message>
    <message>
        <source>The name of the speech model on that server.</source>
        <translation>Der Name des Sprachmodells auf diesem Server.</translation>
    </message>
    <message>
        <source>127.0.0.1 keeps the server to this machine; change it only if others are to reach it.</source>
        <translation>127.0.0.1 beschränkt den Server auf diesen Rechner; ändere es nur, wenn andere ihn erreichen sollen.</translation>
    </message>
    <message>
        <source>A message that holds one of these phrases goes straight to the part of the memory you name, in any language.</source>
        <translation>Eine Nachricht, in der eine dieser Wendungen vorkommt, führt ohne Umweg zu dem Teil des Gedächtnisses, den du nennst, in jeder Sprache.</translation>
    </message>
    <message>
        <source>Instructions for the core model</source>
        <translation>Anweisungen für das Kernmodell</translation>
    </message>
    <message>
        <source>Goes ahead of the chat to a model that writes summaries; each line it writes is checked all the same. Leave it empty for the built-in text; {user} stands for the person speaking.</source>
        <translation>Geht vor dem Gespräch an ein Modell, das Zusammenfassungen schreibt; jede seiner Zeilen wird trotzdem geprüft. Leer steht für den mitgelieferten Text, {user} für die Person, die spricht.</translation>
    </message>
    <message>
        <source>How memdesk decides which memory a question needs: by rules (heuristic), by asking the core model, with the rules if it fails (llm), or not at all, so that every reply gets episodes (off).</source>
        <translation>Wie memdesk entscheidet, welches Gedächtnis eine Frage braucht: nach Regeln (heuristic), durch Nachfrage beim Kernmodell, mit den Regeln als Ersatz (llm), oder gar nicht, sodass jede Antwort Episoden bekommt (off).</translation>
    </message>
    <message>
        <source>Recall by</source>
        <translation>Erinnern nach</translation>
    </message>
    <message>
        <source>What memory is found by: meaning and words (hybrid), meaning alone (semantic), words alone (exact), or not by the question at all but as what was learned last (recent).</source>
        <translation>Wonach Erinnerungen gefunden werden: Bedeutung und Wörter (hybrid), nur Bedeutung (semantic), nur Wörter (exact) oder gar nicht nach der Frage, sondern das zuletzt Gelernte (recent).</translation>
    </message>
    <message>
        <source>Seconds without a new message before a conversation is distilled.</source>
        <translation>Sekunden ohne neue Nachricht, bis ein Gespräch destilliert wird.</translation>
    </message>
    <message>
        <source>Facts below it that were not used for 30 days are moved to the bin.</source>
        <translation>Fakten darunter, die 30 Tage lang nicht benutzt wurden, kommen in den Papierkorb.</translation>
    </message>
    <message>
        <source>Days before an episode is removed; 0 keeps them forever.</source>
        <translation>Tage, bis eine Episode aussortiert wird; 0 behält sie für immer.</translation>
    </message>
    <message>
        <source>Of a server, for example http://localhost:6333, or an absolute path of a folder on this machine.</source>
        <translation>Die eines Servers, zum Beispiel http://localhost:6333, oder der volle Pfad eines Ordners auf diesem Rechner.</translation>
    </message>
    <message>
        <source>Folders whose *.gguf files are offered, used in place. A projector (mmproj) beside a model lets it see pictures.</source>
        <translation>Ordner, deren *.gguf-Dateien angeboten und an Ort und Stelle benutzt werden. Ein Projektor (mmproj) neben einem Modell lässt es Bilder sehen.</translation>
    </message>
    <message>
        <source>Voice input by</source>
        <translation>Spracheingabe durch</translation>
    </message>
    <message>
        <source>Its model</source>
        <translation>Sein Modell</translation>
    </message>
    <message>
        <source>Tools from other programs</source>
        <translation>Werkzeuge anderer Programme</translation>
    </message>
    <message>
        <source>MCP servers whose tools agents may use in the window&apos;s chat. Each call is asked for unless you allowed that tool for good; nothing is started before.</source>
        <translation>MCP-Server, deren Werkzeuge Agenten im Chat des Fensters benutzen dürfen. Vor jedem Aufruf wirst du gefragt, außer du hast das Werkzeug dauerhaft erlaubt; vorher wird nichts gestartet.</translation>
    </message>
    <message>
        <source>Model hub</source>
        <translation>Modell-Hub</translation>
    </message>
    <message>
        <source>Where models are downloaded from, on request only.</source>
        <translation>Woher Modelle heruntergeladen werden, nur auf Wunsch.</translation>
    </message>
    <message>
        <source>Serve programs on this machine while the app runs.</source>
        <translation>Programmen auf diesem Rechner antworten, solange memdesk läuft.</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>Adresse</translation>
    </message>
    <message>
        <source>Port</source>
        <translation>Port</translation>
    </message>
    <message>
        <source>0 takes a free one.</source>
        <translation>0 nimmt einen freien.</translation>
    </message>
    <message>
        <source>Allowed web origins</source>
        <translation>Erlaubte Web-Herkünfte</translation>
    </message>
    <message>
        <source>Origins of web pages that may call the server, for example http://localhost:3000.</source>
        <translation>Herkünfte von Webseiten, die den Server aufrufen dürfen, etwa http://localhost:3000.</translation>
    </message>
    <message>
        <source>In front of</source>
        <translation>Vor einem anderen Server</translation>
    </message>
    <message>
        <source>Name of a remote server whose models answer chats sent to this server, with memory. Empty: memdesk&apos;s own models.</source>
        <translation>Ein entfernter Server, nach seinem Namen: Chats an die Adresse dieses Servers beantworten dessen Modelle, mit Gedächtnis. Leer: die von memdesk.</translation>
    </message>
    <message>
        <source>No token on this machine</source>
        <translation>Ohne Token auf diesem Rechner</translation>
    </message>
    <message>
        <source>Every program that runs here may chat with memory, read and change it without a token, but not change settings or make tokens. Only while the address is this machine&apos;s own.</source>
        <translation>Jedes Programm auf diesem Rechner darf ohne Token mit Gedächtnis chatten, es lesen und ändern, aber keine Einstellungen ändern oder Token anlegen. Nur solange die Adresse die des eigenen Rechners ist.</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>Design</translation>
    </message>
    <message>
        <source>Follow the system, or always light or dark.</source>
        <translation>Dem System folgen, oder immer hell oder dunkel.</translation>
    </message>
    <message>
        <source>Text size</source>
        <translation>Textgröße</translation>
    </message>
    <message>
        <source>Percent of the system&apos;s text size.</source>
        <translation>Prozent der Textgröße des Systems.</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Sprache</translation>
    </message>
    <message>
        <source>Language of the window.</source>
        <translation>Sprache des Fensters.</translation>
    </message>
    <message>
        <source>Keep running in the tray</source>
        <translation>Im Infobereich weiterlaufen</translation>
    </message>
    <message>
        <source>Closing the window leaves memdesk in the tray.</source>
        <translation>Schließt du das Fenster, bleibt memdesk im Infobereich.</translation>
    </message>
    <message>
        <source>Start at login</source>
        <translation>Beim Anmelden starten</translation>
    </message>
    <message>
        <source>Start memdesk when you log in.</source>
        <translation>memdesk starten, wenn du dich anmeldest.</translation>
    </message>
    <message>
        <source>Lock when idle</source>
        <translation>Sperren bei Untätigkeit</translation>
    </message>
    <message>
        <source>Minutes without use before memdesk locks; 0 means never.</source>
        <translation>Minuten ohne Nutzung, bis memdesk sperrt; mit 0 sperrt es nie.</translation>
    </message>
    <message>
        <source>Keys for quick entry</source>
        <translation>Tasten für die Schnelleingabe</translation>
    </message>
    <message>
        <source>Open the small window from any program, such as Ctrl+Alt+Space; empty for none. Linux asks you to agree. Where the system gives no such keys, bind the command “memdesk quick” in its own settings.</source>
        <translation>Öffnen das kleine Fenster aus jedem Programm, etwa Ctrl+Alt+Space; leer: keine. Linux fragt dich vorher. Wo das System keine vergibt, lege den Befehl „memdesk quick“ in dessen Einstellungen auf Tasten.</translation>
    </message>
    <message>
        <source>Reading width</source>
        <translation>Lesebreite</translation>
    </message>
    <message>
        <source>Widest line of a chat, in pixels.</source>
        <translation>Breiteste Zeile eines Chats, in Pixeln.</translation>
    </message>
</context>
<context>
    <name>tokens</name>
    <message>
        <source>New token</source>
        <translation>Neues Token</translation>
    </message>
</context>
<context>
    <name>vault</name>
    <message>
        <source>Back up to</source>
        <translation>Sichern nach</translation>
    </message>
    <message>
        <source>Export to</source>
        <translation>Exportieren nach</translation>
    </message>
    <message>
        <source>Try your recovery code</source>
        <translation>Wiederherstellungscode prüfen</translation>
    </message>
    <message>
        <source>Passphrase</source>
        <translation>Passphrase</translation>
    </message>
    <message>
        <source>Your new recovery code</source>
        <translation>Dein neuer Wiederherstellungscode</translation>
    </message>
</context>
</TS>
