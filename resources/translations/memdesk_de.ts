<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de_DE">
<context>
    <name></name>
    <message>
        <source>Something went wrong in memdesk</source>
        <translation>In memdesk ist etwas schiefgegangen</translation>
    </message>
    <message>
        <source>Pinned</source>
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
        <source>Turn it on under Settings, Server.</source>
        <translation>Schalte ihn unter Einstellungen, Server ein.</translation>
    </message>
    <message>
        <source>The local server did not answer.</source>
        <translation>Der lokale Server hat nicht geantwortet.</translation>
    </message>
    <message>
        <source>The server answered {status}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} changes were taken back.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} stay: they were changed since.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Undone</source>
        <translation>Rückgängig gemacht</translation>
    </message>
    <message>
        <source>It is back</source>
        <translation type="unfinished"></translation>
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
        <source>Every conversation is distilled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The report is on the clipboard</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It holds no words of yours.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remembered</source>
        <translation>Gemerkt</translation>
    </message>
    <message>
        <source>Pinned: it will not fade</source>
        <translation>Angeheftet: es verblasst nicht</translation>
    </message>
    <message>
        <source>Unpinned</source>
        <translation>Gelöst</translation>
    </message>
    <message>
        <source>Undone: {n} facts are as they were</source>
        <translation type="unfinished"></translation>
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
        <source>{n} entries are gone. {p} phrases were looked for on every page of the store; none was found.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Forgotten</source>
        <translation>Vergessen</translation>
    </message>
    <message>
        <source>Forgotten, but not proved</source>
        <translation>Vergessen, aber nicht bewiesen</translation>
    </message>
    <message>
        <source>The proof was not made.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Forget</source>
        <translation>Vergessen</translation>
    </message>
    <message>
        <source>What was learned here is forgotten.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kept</source>
        <translation>Behalten</translation>
    </message>
    <message>
        <source>Dropped; this kind is not stored again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dropped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Self-test done</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unloaded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} models were added</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} models were found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Downloaded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The text is empty.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>To lose it altogether, use Forget.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not used here any more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Replies of this conversation go without it from now on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Used here again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The token was revoked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The backup was written</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saved</source>
        <translation>Gesichert</translation>
    </message>
    <message>
        <source>Nothing was pending</source>
        <translation>Nichts hat gewartet</translation>
    </message>
    <message>
        <source>Distilled {n} conversations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} facts were kept.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing could be distilled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Background work is paused</source>
        <translation>Hintergrundarbeit ist angehalten</translation>
    </message>
    <message>
        <source>Background work goes on</source>
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
        <translation type="unfinished"></translation>
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
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Distil pending conversations now</source>
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
        <source>Fold the sidebar</source>
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
        <source>Theme of the system</source>
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
        <source>Report a bug</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>diagnostics copy report</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>About memdesk</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Icons by Lucide (ISC).</source>
        <translation type="unfinished"></translation>
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
        <source>Looking in memory …</source>
        <translation>Im Gedächtnis nachsehen …</translation>
    </message>
    <message>
        <source>Searched memory for “{query}”</source>
        <translation>Im Gedächtnis nach „{query}“ gesucht</translation>
    </message>
    <message>
        <source>Thinking …</source>
        <translation>Denkt nach …</translation>
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
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add a server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Download a model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>just now</source>
        <translation>gerade eben</translation>
    </message>
    <message numerus="yes">
        <source>%n minutes ago</source>
        <translation>
            <numerusform>vor einer Minute</numerusform>
            <numerusform>vor %n Minuten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n hours ago</source>
        <translation>
            <numerusform>vor einer Stunde</numerusform>
            <numerusform>vor %n Stunden</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n days ago</source>
        <translation>
            <numerusform>vor einem Tag</numerusform>
            <numerusform>vor %n Tagen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n months ago</source>
        <translation>
            <numerusform>vor einem Monat</numerusform>
            <numerusform>vor %n Monaten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n years ago</source>
        <translation>
            <numerusform>vor einem Jahr</numerusform>
            <numerusform>vor %n Jahren</numerusform>
        </translation>
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
        <source>Correction</source>
        <translation>Korrektur</translation>
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
</context>
<context>
    <name>ActivityCard</name>
    <message>
        <source>Requests to the local server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No requests yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What programs ask of the server shows here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Times, clients and routes; never what was said.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ActivityModel</name>
    <message>
        <source>Time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Client</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Request</source>
        <translation type="unfinished"></translation>
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
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ActivityTab</name>
    <message>
        <source>What</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Everything</source>
        <translation type="unfinished"></translation>
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
        <source>Conversations</source>
        <translation>Gespräche</translation>
    </message>
    <message>
        <source>Changes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No changes yet</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>AgentCard</name>
    <message numerus="yes">
        <source>%n facts</source>
        <translation>
            <numerusform>%n Fakt</numerusform>
            <numerusform>%n Fakten</numerusform>
        </translation>
    </message>
    <message>
        <source>No description</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>AgentForm</name>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>On</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Read-only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Gedächtnis</translation>
    </message>
    <message>
        <source>search_memory tool</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Colour</source>
        <translation>Farbe</translation>
    </message>
    <message>
        <source>The model may search its memory by itself, up to three times a reply.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Top p</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Longest reply</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Seed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Description</source>
        <translation>Beschreibung</translation>
    </message>
    <message>
        <source>System prompt</source>
        <translation>Systemprompt</translation>
    </message>
    <message>
        <source>The app&apos;s chat model</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>AgentsPage</name>
    <message>
        <source>New agent</source>
        <translation>Neuer Agent</translation>
    </message>
    <message>
        <source>Agents</source>
        <translation>Agenten</translation>
    </message>
    <message>
        <source>Each has a memory of its own. What is about you is shared.</source>
        <translation>Jeder hat sein eigenes Gedächtnis. Was dich betrifft, teilen sie.</translation>
    </message>
    <message>
        <source>Import …</source>
        <translation>Importieren …</translation>
    </message>
    <message>
        <source>Empty</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Sichern</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>More</source>
        <translation type="unfinished"></translation>
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
        <source>Any OpenAI client can talk to this agent, memory included. Make a token under Settings.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Language</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Question to try</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try it</source>
        <translation>Ausprobieren</translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete …</source>
        <translation>Löschen …</translation>
    </message>
    <message>
        <source>built in</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A number of the last row is none.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saved</source>
        <translation>Gesichert</translation>
    </message>
    <message>
        <source>Export agent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Import agent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Exported agents (*.json)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Asking over HTTP …</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>AssistantMessage</name>
    <message>
        <source>{agent} said</source>
        <translation>{agent} sagte</translation>
    </message>
    <message>
        <source>Answer again</source>
        <translation>Noch einmal antworten</translation>
    </message>
    <message numerus="yes">
        <source>%n memories</source>
        <translation>
            <numerusform>%n Erinnerung</numerusform>
            <numerusform>%n Erinnerungen</numerusform>
        </translation>
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
    <message>
        <source>stopped</source>
        <translation>angehalten</translation>
    </message>
    <message>
        <source>{n} tokens/s</source>
        <translation>{n} Token/s</translation>
    </message>
    <message numerus="yes">
        <source>%n tokens</source>
        <translation>
            <numerusform>%n Token</numerusform>
            <numerusform>%n Token</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ChangesModel</name>
    <message>
        <source>What</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>To</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>fades</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>joined</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>lifted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>to the bin</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pruned</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ChatPage</name>
    <message>
        <source>What is on your mind?</source>
        <extracomment>Widths in px at 100 %. Receipts of the temporary chat that is open; they are stored nowhere.</extracomment>
        <translation>Was beschäftigt dich?</translation>
    </message>
    <message>
        <source>Under each reply you see which memories it used. What you say is remembered once the chat rests.</source>
        <translation>Unter jeder Antwort siehst du, welche Erinnerungen sie benutzt hat. Was du sagst, wird gemerkt, sobald der Chat ruht.</translation>
    </message>
    <message>
        <source>Temporary chat</source>
        <translation>Flüchtiger Chat</translation>
    </message>
    <message>
        <source>Nothing of it is stored, and it sees no memory. It is gone when you leave it.</source>
        <translation>Nichts davon wird gespeichert, und er sieht kein Gedächtnis. Er ist fort, wenn du ihn verlässt.</translation>
    </message>
    <message>
        <source>Message {agent}</source>
        <translation>Nachricht an {agent}</translation>
    </message>
    <message>
        <source>Turn memory on</source>
        <translation>Gedächtnis einschalten</translation>
    </message>
    <message>
        <source>Memory is off: nothing is remembered and nothing is used.</source>
        <translation>Das Gedächtnis ist aus: nichts wird gemerkt und nichts benutzt.</translation>
    </message>
</context>
<context>
    <name>CodeBlock</name>
    <message>
        <source>Copy code</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Code</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>text</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>CodeStep</name>
    <message>
        <source>Recovery code</source>
        <extracomment>Groups the user types again.</extracomment>
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
        <source>Not every group matches. Compare them with the code you kept.</source>
        <translation>Nicht jede Gruppe stimmt. Vergleiche sie mit deinem Code.</translation>
    </message>
    <message>
        <source>Create the memory</source>
        <translation>Gedächtnis anlegen</translation>
    </message>
    <message>
        <source>This computer has no keyring that answers, so a passphrase protects the key. You are asked for it at each start.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Passphrase, 8 characters or more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The same again</source>
        <translation>Noch einmal dasselbe</translation>
    </message>
    <message>
        <source>Save as file …</source>
        <translation>Als Datei sichern …</translation>
    </message>
    <message>
        <source>Print …</source>
        <translation>Drucken …</translation>
    </message>
    <message>
        <source>Show that you kept it: type these groups.</source>
        <translation>Zeige, dass du ihn hast: tippe diese Gruppen.</translation>
    </message>
    <message>
        <source>Group {n}</source>
        <translation>Gruppe {n}</translation>
    </message>
    <message>
        <source>Recovery code: {code}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>Kopiert</translation>
    </message>
    <message>
        <source>memdesk recovery code

{code}

This code opens your memory when the keyring of your computer is lost. Whoever has it and your files can read everything. Keep it away from this computer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save the recovery code</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Composer</name>
    <message>
        <source>Message</source>
        <translation>Nachricht</translation>
    </message>
    <message>
        <source>Agent</source>
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
        <source>Attach a text file</source>
        <translation>Textdatei anhängen</translation>
    </message>
    <message>
        <source>no model</source>
        <translation>kein Modell</translation>
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
        <source>{name} ({n} characters)</source>
        <translation>{name} ({n} Zeichen)</translation>
    </message>
    <message>
        <source>Click to remove</source>
        <translation>Klicken zum Entfernen</translation>
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
        <source>Off: neither</source>
        <translation>Aus: weder noch</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
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
        <translation>Sonst wird nichts berührt.</translation>
    </message>
</context>
<context>
    <name>ConsolidationPage</name>
    <message>
        <source>Run consolidation now</source>
        <translation>Jetzt konsolidieren</translation>
    </message>
    <message>
        <source>Preview first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lets unused memories fade, joins duplicates, lifts what keeps coming up. Every run can be undone.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Consolidation</source>
        <translation>Konsolidierung</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Next run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Past runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What runs took out of use; it is gone for good after 30 days.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bin</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Changes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The memory is as it should be.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing would change</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Undo this run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Was due {when}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>None yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Empty.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Changes of</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Undo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>until {day}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bring back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>faded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>joined</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>lifted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>to the bin</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pruned</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing had to change.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking at the memory…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Done</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show changes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This would change</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This changed</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Make %n changes</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Check all</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ContextMeter</name>
    <message>
        <source>Context</source>
        <extracomment>A file larger than this is no message.</extracomment>
        <translation>Kontext</translation>
    </message>
    <message>
        <source>{used} of {size} tokens of the model&apos;s context are in use.</source>
        <translation>{used} von {size} Token des Kontexts sind belegt.</translation>
    </message>
    <message numerus="yes">
        <source>The %n oldest messages no longer fit and were left out.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>There was no room for memory.</source>
        <translation>Für das Gedächtnis war kein Platz.</translation>
    </message>
</context>
<context>
    <name>ConversationList</name>
    <message>
        <source>Search conversations</source>
        <extracomment>Pinned conversations fetched beside the newest ones.</extracomment>
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
        <source>Rename …</source>
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
        <source>Take out of the archive</source>
        <translation>Aus dem Archiv holen</translation>
    </message>
    <message>
        <source>Archive</source>
        <translation>Archivieren</translation>
    </message>
    <message>
        <source>Export as Markdown …</source>
        <translation>Als Markdown exportieren …</translation>
    </message>
    <message>
        <source>Export as JSON …</source>
        <translation>Als JSON exportieren …</translation>
    </message>
    <message>
        <source>Delete …</source>
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
        <source>An action stopped unexpectedly. Your memory is safe: what was stored is stored. You can go on; if memdesk behaves oddly, quit and start it again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This report helps to mend it. It holds nothing you wrote.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Report</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy report</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>Kopiert</translation>
    </message>
</context>
<context>
    <name>DiagnosticsPage</name>
    <message>
        <source>Copy report</source>
        <extracomment>How often the page looks again by itself while it is shown, in ms.</extracomment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Diagnostics</source>
        <translation>Diagnose</translation>
    </message>
    <message>
        <source>How memdesk is, and what helps where it is not.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Engines</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Processes that run models.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sizes and speeds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measured here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Backfill</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Backfill history</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Distil now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waiting to be distilled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Messages are stored at once and distilled when their conversation rests.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Retry</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Retry {conversation}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>parked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No reason was noted.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n messages</source>
        <translation>
            <numerusform>%n Nachricht</numerusform>
            <numerusform>%n Nachrichten</numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing waits.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>None runs. They start on first use.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} tokens/s</source>
        <translation>{n} Token/s</translation>
    </message>
    <message numerus="yes">
        <source>%n restarts</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Cancel backfill</source>
        <translation type="unfinished"></translation>
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
    <name>DownloadDialog</name>
    <message>
        <source>A repository of the model hub that holds GGUF files.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Repository</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Download</source>
        <translation>Herunterladen</translation>
    </message>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It holds no GGUF files.</source>
        <translation type="unfinished"></translation>
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
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It fits: this code opens your memory.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It does not fit. Check for typing errors; if you lost it, make a new code now.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>EntitiesModel</name>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
</context>
<context>
    <name>EntitiesTab</name>
    <message>
        <source>Search people and things</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Any type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>People and things</source>
        <translation>Personen und Dinge</translation>
    </message>
    <message>
        <source>Names appear when conversations are distilled.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nobody and nothing yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Forget</source>
        <translation>Vergessen</translation>
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
        <source>None.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Forget everything about {name}?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Facts and details that name it go with it. Messages stay in their conversations.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>EntityGraph</name>
    <message>
        <source>{name} is joined to: {words}</source>
        <extracomment>Neighbours drawn; the list below the graph has them all.</extracomment>
        <translation type="unfinished"></translation>
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
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>EpisodesTab</name>
    <message>
        <source>Search episodes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Episodes</source>
        <translation>Episoden</translation>
    </message>
    <message>
        <source>When a conversation rests, its digest appears here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No episodes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open conversation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Forget</source>
        <translation>Vergessen</translation>
    </message>
    <message>
        <source>Decisions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>To do</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Details</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Distilled by {model}</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>used %n times</source>
        <translation>
            <numerusform>%n-mal benutzt</numerusform>
            <numerusform>%n-mal benutzt</numerusform>
        </translation>
    </message>
    <message>
        <source>Edit summary</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Forget this episode?</source>
        <translation type="unfinished"></translation>
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
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Salience</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One statement that stands on its own: “Ana is allergic to walnuts.”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tags</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Separated by commas.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Sichern</translation>
    </message>
</context>
<context>
    <name>FactPanel</name>
    <message>
        <source>Choose a fact</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Added {made}, changed {changed}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pinned by you</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>written by you</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>distilled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>from consolidation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>from a program</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>imported</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not said by you</source>
        <translation type="unfinished"></translation>
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
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Enable</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Forget</source>
        <translation>Vergessen</translation>
    </message>
    <message>
        <source>Salience</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reaches the floor on {day} unless it is used</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>does not fade</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>used %n times</source>
        <translation>
            <numerusform>%n-mal benutzt</numerusform>
            <numerusform>%n-mal benutzt</numerusform>
        </translation>
    </message>
    <message>
        <source>Where it came from</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No message: it was written by hand.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The message is gone.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open the conversation {title}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Alike</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>History</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>was: {text}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edit fact</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Forget this fact?</source>
        <translation type="unfinished"></translation>
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
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Salience</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Changed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pinned</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n sources</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>used %n times</source>
        <translation>
            <numerusform>%n-mal benutzt</numerusform>
            <numerusform>%n-mal benutzt</numerusform>
        </translation>
    </message>
    <message>
        <source>until {day}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>FactsTab</name>
    <message>
        <source>Search facts</source>
        <extracomment>px at 100 % below which the panel takes the list&apos;s place.</extracomment>
        <translation>Fakten durchsuchen</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Any kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>State</source>
        <translation type="unfinished"></translation>
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
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Changed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Any time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>7 days</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>30 days</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 year</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sort</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Last changed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Newest</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Most salient</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Last used</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A to Z</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Facts</source>
        <translation>Fakten</translation>
    </message>
    <message>
        <source>No facts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Facts are distilled from conversations, or written by you.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add a fact</source>
        <translation>Fakt hinzufügen</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation type="unfinished"></translation>
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
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Enable</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Forget</source>
        <translation>Vergessen</translation>
    </message>
    <message numerus="yes">
        <source>%n facts</source>
        <translation>
            <numerusform>%n Fakt</numerusform>
            <numerusform>%n Fakten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n facts chosen</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n facts changed</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Forget %n facts?</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>They are gone for good: from lists, searches, history and receipts.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>FieldEditor</name>
    <message>
        <source>Reset to default</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>after restart</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This is not valid JSON.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One a line</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>FirstStart</name>
    <message>
        <source>Back</source>
        <extracomment>Where the step that comes next is kept, in the window&apos;s own state; it holds nothing of the user&apos;s.</extracomment>
        <translation>Zurück</translation>
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
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ForgetSelection</name>
    <message>
        <source>Looking for memories that say so …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Forget</source>
        <translation>Vergessen</translation>
    </message>
    <message>
        <source>No fact says this. To lose the message itself, delete the conversation or edit the message.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>These memories are about it. Tick what should go.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>FoundDialog</name>
    <message>
        <source>They are used in place: nothing is copied or changed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No models of LM Studio, Jan or Ollama were found.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>added</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>HistoryModel</name>
    <message>
        <source>Change</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>When</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>(the words were forgotten)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>IdentityTab</name>
    <message>
        <source>Nothing about you yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A few lines, such as your name and your work, go with every question you ask.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add a line</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>About you, in the third person or the first: “I work nights as a nurse.”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add a line about you</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Written by you</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>None.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Learned from conversations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Do not use</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Forget</source>
        <translation>Vergessen</translation>
    </message>
    <message>
        <source>Edit line</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Forget this line?</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ImportPanel</name>
    <message>
        <source>Drop an export here: ChatGPT or Claude (ZIP), Open WebUI, LM Studio or Jan, plain JSON or Markdown.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a file …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a folder …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Import chats</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>What will happen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Learn from them in the background (can be done later)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Import</source>
        <translation>Importieren</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message numerus="yes">
        <source>%n conversations were found</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>They were held between {a} and {b}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{new} are new, {changed} replace older copies, {same} are here already.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n messages are stored, encrypted, on this computer.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n entries cannot be read</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Importing …</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n conversations were imported.</source>
        <translation>
            <numerusform>%n Gespräch wurde importiert.</numerusform>
            <numerusform>%n Gespräche wurden importiert.</numerusform>
        </translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Importing again goes on from there.</source>
        <translation type="unfinished"></translation>
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
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>LearnedChip</name>
    <message numerus="yes">
        <source>Learned %n facts</source>
        <translation>
            <numerusform>%n Fakt gelernt</numerusform>
            <numerusform>%n Fakten gelernt</numerusform>
        </translation>
    </message>
    <message>
        <source>Summed up, no new facts</source>
        <translation>Zusammengefasst, keine neuen Fakten</translation>
    </message>
    <message numerus="yes">
        <source>%n wait for review</source>
        <translation>
            <numerusform>%n wartet auf Prüfung</numerusform>
            <numerusform>%n warten auf Prüfung</numerusform>
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
            <numerusform>Behalten: %n</numerusform>
            <numerusform>Behalten: %n</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Waits for review: %n</source>
        <translation>
            <numerusform>Wartet auf Prüfung: %n</numerusform>
            <numerusform>Wartet auf Prüfung: %n</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n candidates were rejected, as the messages do not carry them.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
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
</context>
<context>
    <name>LineDialog</name>
    <message>
        <source>Text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Sichern</translation>
    </message>
</context>
<context>
    <name>LockPage</name>
    <message>
        <source>memdesk is locked</source>
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
        <source>Unlocking …</source>
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
    <name>MainWindow</name>
    <message>
        <source>File</source>
        <extracomment>Below this width (px at 100 %) the sidebar folds by itself.</extracomment>
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
        <extracomment>Which tab an argument of ``navigate`` means when none is named.</extracomment>
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
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Message</name>
    <message>
        <source>Remember this</source>
        <translation>Das merken</translation>
    </message>
    <message>
        <source>Forget this …</source>
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
        <extracomment>Sizes as published on the hub.</extracomment>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Choose a model</source>
        <translation>Wähle ein Modell</translation>
    </message>
    <message>
        <source>The bundled model works offline at once; it is small and knows little. A larger one answers and remembers better. You can change this at any time under Models.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking for models …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Better models to download</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n tokens of context</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>bundled, works now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{size}, wants {gb} GB of memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Download of {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Download</source>
        <translation>Herunterladen</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>{done} of {all}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Downloaded and checked. Choose it above.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ModelsPage</name>
    <message>
        <source>Add file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find on this machine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add server</source>
        <translation type="unfinished"></translation>
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
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>On this machine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>On other servers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It does not answer, or has no models.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>chats</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>keeps the memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>loaded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not usable</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} M parameters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>context {n}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reads {read}, writes {write} tokens/s here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} MiB in memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not tested yet: the self-test says whether it may write the memory in its own words.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use for chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use for memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Self-test</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measure</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unload</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measuring…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading a small conversation…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add a model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Models (*.gguf)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add a folder of models</source>
        <translation type="unfinished"></translation>
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
        <source>Every agent sees these lines with each reply. You can change them under Memory, Identity.</source>
        <translation>Jeder Agent sieht diese Zeilen bei jeder Antwort. Du kannst sie unter Gedächtnis, Identität ändern.</translation>
    </message>
    <message>
        <source>for example Anna Berger</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>for example Anna</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>for example: I live in Graz and write software.</source>
        <translation type="unfinished"></translation>
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
</context>
<context>
    <name>NewCodeDialog</name>
    <message>
        <source>Write it down and keep it away from this machine. It is not shown again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>I have kept it</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>NewTokenDialog</name>
    <message>
        <source>For example: notebook, editor plug-in</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Valid for</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>30 days</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>90 days</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 year</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ever</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Client</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>May use</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Create</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy it now: only its fingerprint is kept, and it cannot be shown again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Secret</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>NumberField</name>
    <message>
        <source>model&apos;s own</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>PageHost</name>
    <message>
        <source>This page could not be opened</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The rest of memdesk works. A report for us is under Diagnostics.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Palette</name>
    <message>
        <source>Command palette</source>
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
    <name>PassphraseDialog</name>
    <message>
        <source>New passphrase</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Empty removes it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Sichern</translation>
    </message>
    <message>
        <source>The two are not the same.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The passphrase was changed</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>PreviewTab</name>
    <message>
        <source>A question, as you would ask it in a chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Question</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Section</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The gate decides</source>
        <translation type="unfinished"></translation>
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
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Budget</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Preview</source>
        <translation>Vorschau</translation>
    </message>
    <message>
        <source>Type a question to see what a chat would be given, and why.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What would be remembered?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>rule: {rule}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{used} of {budget} tokens</source>
        <translation>{used} von {budget} Token</translation>
    </message>
    <message>
        <source>+ {section}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing: the question goes to the model as it is.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the model is given</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Why these</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Left out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} tokens</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ReceiptPanel</name>
    <message>
        <source>Why this reply</source>
        <translation>Warum diese Antwort</translation>
    </message>
    <message>
        <source>rule {name}</source>
        <translation>Regel {name}</translation>
    </message>
    <message>
        <source>{used} of {budget} tokens</source>
        <translation>{used} von {budget} Token</translation>
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
        <source>{n} ms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What it saw</source>
        <translation>Was sie sah</translation>
    </message>
    <message numerus="yes">
        <source>Left out: %n</source>
        <translation>
            <numerusform>Weggelassen: %n</numerusform>
            <numerusform>Weggelassen: %n</numerusform>
        </translation>
    </message>
    <message>
        <source>score {s}</source>
        <translation>Wert {s}</translation>
    </message>
    <message numerus="yes">
        <source>%n tokens</source>
        <translation>
            <numerusform>%n Token</numerusform>
            <numerusform>%n Token</numerusform>
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
        <translation type="unfinished"></translation>
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
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Sichern</translation>
    </message>
    <message>
        <source>Fixed</source>
        <translation>Berichtigt</translation>
    </message>
    <message>
        <source>The next reply sees the corrected words.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Forget this?</source>
        <translation>Das vergessen?</translation>
    </message>
    <message>
        <source>About you</source>
        <translation>Über dich</translation>
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
        <source>Exact words</source>
        <translation>Genaue Worte</translation>
    </message>
    <message>
        <source>No memory</source>
        <translation>Kein Gedächtnis</translation>
    </message>
    <message>
        <source>The question is about you, so the lines about you were given to the model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The question touches what you told or decided, so facts were given to the model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The question points to an earlier conversation, so its digests were given to the model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The question asks for what was said, so the messages themselves were given.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing in the question asked for memory.</source>
        <translation>Nichts an der Frage verlangte nach dem Gedächtnis.</translation>
    </message>
    <message>
        <source>What you said should always be remembered was given.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What was left of the room was filled from: {section}.</source>
        <translation type="unfinished"></translation>
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
        <source>said already</source>
        <translation>schon gesagt</translation>
    </message>
    <message>
        <source>not used here</source>
        <translation>hier nicht benutzt</translation>
    </message>
</context>
<context>
    <name>RemoteDialog</name>
    <message>
        <source>Kind</source>
        <translation type="unfinished"></translation>
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
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kept in the system&apos;s keyring. Empty for none.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What you chat with a model of this server, memory included, is sent to it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ReviewTab</name>
    <message>
        <source>What distillation is not sure of waits here for your yes or no.</source>
        <extracomment>Candidates shown at once; the others come as these are settled.</extracomment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing to review</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n more wait</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>tries to give orders</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not said by you</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} % sure</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>Behalten</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Never store this kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep this</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Both are true</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>These do not agree</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Never stored</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Learned from what you dropped.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edit and keep</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>RichText</name>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SalienceCurve</name>
    <message>
        <source>Salience {first} at first, {last} in three months</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Session</name>
    <message>
        <source>You have not shown yet that you kept the recovery code. Without it a lost keyring loses the memory.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take care of it</source>
        <translation>Darum kümmern</translation>
    </message>
    <message>
        <source>recovery</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Later</source>
        <translation>Später</translation>
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
        <translation>Einstellungen durchsuchen</translation>
    </message>
    <message>
        <source>Section</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Changes are saved at once.</source>
        <translation>Änderungen gelten sofort.</translation>
    </message>
    <message>
        <source>More</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No option&apos;s name or help has these words.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing found</source>
        <translation>Nichts gefunden</translation>
    </message>
    <message numerus="yes">
        <source>%n options found</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SidePanel</name>
    <message>
        <source>Close panel</source>
        <extracomment>The panel was shown or hidden.</extracomment>
        <translation type="unfinished"></translation>
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
        <source>Fold the sidebar (Ctrl+B)</source>
        <translation>Seitenleiste einklappen (Strg+B)</translation>
    </message>
</context>
<context>
    <name>StartFault</name>
    <message>
        <source>Try again</source>
        <extracomment>How often the idle time is looked at, in ms.</extracomment>
        <translation>Noch einmal versuchen</translation>
    </message>
</context>
<context>
    <name>StatePane</name>
    <message>
        <source>Loading</source>
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
        <extracomment>A quiet look at the state between events, in ms.</extracomment>
        <translation>Status</translation>
    </message>
    <message>
        <source>Starting …</source>
        <translation>Startet …</translation>
    </message>
    <message numerus="yes">
        <source>%n parked</source>
        <translation>
            <numerusform>%n zurückgestellt</numerusform>
            <numerusform>%n zurückgestellt</numerusform>
        </translation>
    </message>
    <message>
        <source>Distilling …</source>
        <translation>Destilliert …</translation>
    </message>
    <message numerus="yes">
        <source>%n pending</source>
        <translation>
            <numerusform>%n wartet</numerusform>
            <numerusform>%n warten</numerusform>
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
</context>
<context>
    <name>Swatch</name>
    <message>
        <source>Colour {code}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ThreadView</name>
    <message>
        <source>Messages</source>
        <extracomment>Messages made at once; each takes a few ms.</extracomment>
        <translation>Nachrichten</translation>
    </message>
    <message>
        <source>To the end</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Toast</name>
    <message>
        <source>Close</source>
        <extracomment>How long a notice that needs nothing stays, in ms; errors stay until they are closed.</extracomment>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TokensCard</name>
    <message>
        <source>Clients</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Programs on this machine call the server with a token of their own.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Restart server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server is not running.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No client has a token yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>last used {when}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>until {when}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>agent {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>never used</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Revoke</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Revoke this token?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{name}” can no longer call the server.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TranscriptTab</name>
    <message>
        <source>Search messages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>Nachrichten</translation>
    </message>
    <message>
        <source>No messages</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Tray</name>
    <message>
        <source>Show memdesk</source>
        <translation>memdesk zeigen</translation>
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
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
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
        <translation>Nachricht</translation>
    </message>
    <message>
        <source>Said</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>You</source>
        <translation>Du</translation>
    </message>
    <message>
        <source>Agent</source>
        <translation>Agent</translation>
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
        <translation>Bearbeiten und neu senden</translation>
    </message>
    <message>
        <source>Edit message</source>
        <translation>Nachricht bearbeiten</translation>
    </message>
    <message>
        <source>What followed this message goes, with what was learned from it alone.</source>
        <translation>Was auf diese Nachricht folgte, geht verloren, samt dem, was nur daraus gelernt wurde.</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Send again</source>
        <translation>Neu senden</translation>
    </message>
</context>
<context>
    <name>VaultCard</name>
    <message>
        <source>Encryption and copies</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Everything remembered is in one encrypted database on this disk. Nothing is sent anywhere.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set passphrase</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recovery code</source>
        <translation>Wiederherstellungscode</translation>
    </message>
    <message>
        <source>Opens the memory when the system&apos;s keyring is lost. Try yours now and then.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try it</source>
        <translation>Ausprobieren</translation>
    </message>
    <message>
        <source>New code</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Passphrase</source>
        <translation>Passphrase</translation>
    </message>
    <message>
        <source>A second way to open the memory, for example on a server without a keyring.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Backup</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One encrypted file; your recovery code opens it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Back up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drops the keys, unloads the models and blanks the window. The server answers &apos;locked&apos;.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lock now</source>
        <translation>Jetzt sperren</translation>
    </message>
    <message>
        <source>Forget everything</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every conversation, fact and episode of every agent. It cannot be undone.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Make a new recovery code?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The present one opens nothing from then on, older backups excepted.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Forget everything?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Agents and settings stay; all that was said and learned goes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Back up to</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>memory</name>
    <message>
        <source>Identity</source>
        <extracomment>Tab id, title, where its widget is.</extracomment>
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
        <source>Review</source>
        <translation>Prüfen</translation>
    </message>
    <message>
        <source>Activity</source>
        <translation>Verlauf</translation>
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
    <name>settings</name>
    <message>
        <source>Remembering</source>
        <extracomment>Sections in the order shown, with their fields by group. A field that is named nowhere ends up in &quot;More&quot;.</extracomment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recalling</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ageing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Models</source>
        <translation>Modelle</translation>
    </message>
    <message>
        <source>Where models come from</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Local server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Behaviour</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Gedächtnis</translation>
    </message>
    <message>
        <source>Engine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Privacy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>On</source>
        <extracomment>What a choice is called in the window; the schema&apos;s words are for files and programs.</extracomment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Off: words alone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>When a conversation rests</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only when I ask</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>When it rests, without a model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Off: always episodes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rules</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The core model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Like the system</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Light</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dark</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>tokens</name>
    <message>
        <source>New token</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>vault</name>
    <message>
        <source>Try your recovery code</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Passphrase</source>
        <translation>Passphrase</translation>
    </message>
    <message>
        <source>Your new recovery code</source>
        <translation type="unfinished"></translation>
    </message>
</context>
</TS>
