<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en_US">
<context>
    <name></name>
    <message numerus="yes">
        <source>%n minutes ago</source>
        <translation>
            <numerusform>a minute ago</numerusform>
            <numerusform>%n minutes ago</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n hours ago</source>
        <translation>
            <numerusform>an hour ago</numerusform>
            <numerusform>%n hours ago</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n days ago</source>
        <translation>
            <numerusform>a day ago</numerusform>
            <numerusform>%n days ago</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n months ago</source>
        <translation>
            <numerusform>a month ago</numerusform>
            <numerusform>%n months ago</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n years ago</source>
        <translation>
            <numerusform>a year ago</numerusform>
            <numerusform>%n years ago</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>AgentCard</name>
    <message numerus="yes">
        <source>%n facts</source>
        <translation>
            <numerusform>%n fact</numerusform>
            <numerusform>%n facts</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>AssistantMessage</name>
    <message numerus="yes">
        <source>%n memories</source>
        <translation>
            <numerusform>%n memory</numerusform>
            <numerusform>%n memories</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tokens</source>
        <translation>
            <numerusform>%n token</numerusform>
            <numerusform>%n tokens</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ChangesModel</name>
    <message numerus="yes">
        <source>faded for %n days</source>
        <translation>
            <numerusform>faded for %n day</numerusform>
            <numerusform>faded for %n days</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ConsolidationPage</name>
    <message numerus="yes">
        <source>Make %n changes</source>
        <translation>
            <numerusform>Make %n change</numerusform>
            <numerusform>Make %n changes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ContextMeter</name>
    <message numerus="yes">
        <source>The %n oldest messages no longer fit and were left out.</source>
        <translation>
            <numerusform>The oldest message no longer fits and was left out.</numerusform>
            <numerusform>The %n oldest messages no longer fit and were left out.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>About %n of them are being written.</source>
        <translation>
            <numerusform>About %n of them is being written.</numerusform>
            <numerusform>About %n of them are being written.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>DiagnosticsPage</name>
    <message numerus="yes">
        <source>Open and encrypted; %n messages.</source>
        <translation>
            <numerusform>Open and encrypted; %n message.</numerusform>
            <numerusform>Open and encrypted; %n messages.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n messages</source>
        <translation>
            <numerusform>%n message</numerusform>
            <numerusform>%n messages</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more conversations</source>
        <translation>
            <numerusform>%n more conversation</numerusform>
            <numerusform>%n more conversations</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n restarts</source>
        <translation>
            <numerusform>%n restart</numerusform>
            <numerusform>%n restarts</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>EntitiesModel</name>
    <message numerus="yes">
        <source>%n mentions</source>
        <translation>
            <numerusform>%n mention</numerusform>
            <numerusform>%n mentions</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>EpisodesTab</name>
    <message numerus="yes">
        <source>used %n times</source>
        <translation>
            <numerusform>used once</numerusform>
            <numerusform>used %n times</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>FactPanel</name>
    <message numerus="yes">
        <source>used %n times</source>
        <translation>
            <numerusform>used once</numerusform>
            <numerusform>used %n times</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>FactsModel</name>
    <message numerus="yes">
        <source>%n sources</source>
        <translation>
            <numerusform>%n source</numerusform>
            <numerusform>%n sources</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>used %n times</source>
        <translation>
            <numerusform>used once</numerusform>
            <numerusform>used %n times</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>FactsTab</name>
    <message numerus="yes">
        <source>%n facts</source>
        <translation>
            <numerusform>%n fact</numerusform>
            <numerusform>%n facts</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n facts chosen</source>
        <translation>
            <numerusform>%n fact chosen</numerusform>
            <numerusform>%n facts chosen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n facts changed</source>
        <translation>
            <numerusform>%n fact changed</numerusform>
            <numerusform>%n facts changed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Forget %n facts?</source>
        <translation>
            <numerusform>Forget %n fact?</numerusform>
            <numerusform>Forget %n facts?</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>HistoryModel</name>
    <message numerus="yes">
        <source>%n messages</source>
        <translation>
            <numerusform>%n message</numerusform>
            <numerusform>%n messages</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ImportPanel</name>
    <message numerus="yes">
        <source>%n conversations were found</source>
        <translation>
            <numerusform>%n conversation was found</numerusform>
            <numerusform>%n conversations were found</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n messages are stored, encrypted, on this computer.</source>
        <translation>
            <numerusform>%n message is stored, encrypted, on this computer.</numerusform>
            <numerusform>%n messages are stored, encrypted, on this computer.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n entries cannot be read</source>
        <translation>
            <numerusform>%n entry cannot be read</numerusform>
            <numerusform>%n entries cannot be read</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n conversations were imported.</source>
        <translation>
            <numerusform>%n conversation was imported.</numerusform>
            <numerusform>%n conversations were imported.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>LearnedChip</name>
    <message numerus="yes">
        <source>Learned %n facts</source>
        <translation>
            <numerusform>Learned %n fact</numerusform>
            <numerusform>Learned %n facts</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n wait for review</source>
        <translation>
            <numerusform>%n waits for review</numerusform>
            <numerusform>%n wait for review</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>LearnedPanel</name>
    <message numerus="yes">
        <source>Kept: %n</source>
        <translation>
            <numerusform>Kept: %n</numerusform>
            <numerusform>Kept: %n</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Waits for review: %n</source>
        <translation>
            <numerusform>Waits for review: %n</numerusform>
            <numerusform>Waits for review: %n</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n candidates were rejected, as the messages do not carry them.</source>
        <translation>
            <numerusform>%n candidate was rejected, as the messages do not carry it.</numerusform>
            <numerusform>%n candidates were rejected, as the messages do not carry them.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ModelStep</name>
    <message numerus="yes">
        <source>%n tokens of context</source>
        <translation>
            <numerusform>%n token of context</numerusform>
            <numerusform>%n tokens of context</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ReceiptPanel</name>
    <message numerus="yes">
        <source>Left out: %n</source>
        <translation>
            <numerusform>Left out: %n</numerusform>
            <numerusform>Left out: %n</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tokens</source>
        <translation>
            <numerusform>%n token</numerusform>
            <numerusform>%n tokens</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ReviewTab</name>
    <message numerus="yes">
        <source>%n more wait</source>
        <translation>
            <numerusform>%n more waits</numerusform>
            <numerusform>%n more wait</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SettingsPage</name>
    <message numerus="yes">
        <source>%n options found</source>
        <translation>
            <numerusform>%n option found</numerusform>
            <numerusform>%n options found</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>StatusBar</name>
    <message numerus="yes">
        <source>%n parked</source>
        <translation>
            <numerusform>%n parked</numerusform>
            <numerusform>%n parked</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n pending</source>
        <translation>
            <numerusform>%n pending</numerusform>
            <numerusform>%n pending</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Tray</name>
    <message numerus="yes">
        <source>%n messages wait to be distilled</source>
        <translation>
            <numerusform>%n message waits to be distilled</numerusform>
            <numerusform>%n messages wait to be distilled</numerusform>
        </translation>
    </message>
</context>
</TS>
