<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en_US">
<context>
    <name></name>
    <message numerus="yes">
        <source>%n memories</source>
        <translation>
            <numerusform>%Ln memory</numerusform>
            <numerusform>%Ln memories</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tokens</source>
        <translation>
            <numerusform>%Ln token</numerusform>
            <numerusform>%Ln tokens</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The model is making %n other replies; this one takes turns with them…</source>
        <translation>
            <numerusform>The model is making another reply; this one takes turns with it…</numerusform>
            <numerusform>The model is making %Ln other replies; this one takes turns with them…</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n minutes ago</source>
        <translation>
            <numerusform>a minute ago</numerusform>
            <numerusform>%Ln minutes ago</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n hours ago</source>
        <translation>
            <numerusform>an hour ago</numerusform>
            <numerusform>%Ln hours ago</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n days ago</source>
        <translation>
            <numerusform>a day ago</numerusform>
            <numerusform>%Ln days ago</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n months ago</source>
        <translation>
            <numerusform>a month ago</numerusform>
            <numerusform>%Ln months ago</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n years ago</source>
        <translation>
            <numerusform>a year ago</numerusform>
            <numerusform>%Ln years ago</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>about %n minutes</source>
        <translation>
            <numerusform>about %Ln minute</numerusform>
            <numerusform>about %Ln minutes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>about %n hours</source>
        <translation>
            <numerusform>about %Ln hour</numerusform>
            <numerusform>about %Ln hours</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>about %n days</source>
        <translation>
            <numerusform>about %Ln day</numerusform>
            <numerusform>about %Ln days</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n thoughts of models</source>
        <translation>
            <numerusform>%Ln thought of a model</numerusform>
            <numerusform>%Ln thoughts of models</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tool calls and results</source>
        <translation>
            <numerusform>%Ln tool call or result</numerusform>
            <numerusform>%Ln tool calls and results</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n pictures and files</source>
        <translation>
            <numerusform>%Ln picture or file</numerusform>
            <numerusform>%Ln pictures and files</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n instructions and hidden messages</source>
        <translation>
            <numerusform>%Ln instruction or hidden message</numerusform>
            <numerusform>%Ln instructions and hidden messages</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n messages of other versions</source>
        <translation>
            <numerusform>%Ln message of another version</numerusform>
            <numerusform>%Ln messages of other versions</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n entries are gone.</source>
        <translation>
            <numerusform>%Ln entry is gone.</numerusform>
            <numerusform>%Ln entries are gone.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n messages still say it, and replies can quote them.</source>
        <translation>
            <numerusform>%Ln message still says it, and replies can quote it.</numerusform>
            <numerusform>%Ln messages still say it, and replies can quote them.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Wherever it was said: %n messages go too</source>
        <translation>
            <numerusform>Wherever it was said: %Ln message goes too</numerusform>
            <numerusform>Wherever it was said: %Ln messages go too</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Distilled %n conversations</source>
        <translation>
            <numerusform>Distilled %Ln conversation</numerusform>
            <numerusform>Distilled %Ln conversations</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n facts were kept.</source>
        <translation>
            <numerusform>%Ln fact was kept.</numerusform>
            <numerusform>%Ln facts were kept.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n changes were undone.</source>
        <translation>
            <numerusform>%Ln change was taken back.</numerusform>
            <numerusform>%Ln changes were taken back.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n stay: they were changed since.</source>
        <translation>
            <numerusform>%Ln stays: it was changed since.</numerusform>
            <numerusform>%Ln stay: they were changed since.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n facts pinned: they will not fade</source>
        <translation>
            <numerusform>Pinned: it will not fade</numerusform>
            <numerusform>%Ln facts pinned: they will not fade</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Undone: %n facts are as they were</source>
        <translation>
            <numerusform>Undone: %Ln fact is as it was</numerusform>
            <numerusform>Undone: %Ln facts are as they were</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n models were added</source>
        <translation>
            <numerusform>%Ln model was added</numerusform>
            <numerusform>%Ln models were added</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n models were found</source>
        <translation>
            <numerusform>%Ln model was found</numerusform>
            <numerusform>%Ln models were found</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n conversations were imported.</source>
        <translation>
            <numerusform>%Ln conversation was imported.</numerusform>
            <numerusform>%Ln conversations were imported.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>used %n times</source>
        <translation>
            <numerusform>used once</numerusform>
            <numerusform>used %Ln times</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n conversations could not be distilled</source>
        <translation>
            <numerusform>%Ln conversation could not be distilled</numerusform>
            <numerusform>%Ln conversations could not be distilled</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n conversations were found</source>
        <translation>
            <numerusform>%Ln conversation was found</numerusform>
            <numerusform>%Ln conversations were found</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n are new</source>
        <translation>
            <numerusform>%Ln is new</numerusform>
            <numerusform>%Ln are new</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n replace older copies</source>
        <translation>
            <numerusform>%Ln replaces an older copy</numerusform>
            <numerusform>%Ln replace older copies</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n are here already</source>
        <translation>
            <numerusform>%Ln is here already</numerusform>
            <numerusform>%Ln are here already</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n were continued here since and are left as they are.</source>
        <translation>
            <numerusform>%Ln was continued here since and is left as it is.</numerusform>
            <numerusform>%Ln were continued here since and are left as they are.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n messages are stored, encrypted, on this computer.</source>
        <translation>
            <numerusform>%Ln message is stored, encrypted, on this computer.</numerusform>
            <numerusform>%Ln messages are stored, encrypted, on this computer.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n facts and lines about you are added.</source>
        <translation>
            <numerusform>%n fact or line about you is added.</numerusform>
            <numerusform>%Ln facts and lines about you are added.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n memories become facts</source>
        <translation>
            <numerusform>%n memory becomes a fact</numerusform>
            <numerusform>%Ln memories become facts</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n instructions go to your prompts</source>
        <translation>
            <numerusform>%n instruction goes to your prompts</numerusform>
            <numerusform>%Ln instructions go to your prompts</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n projects become folders</source>
        <translation>
            <numerusform>%n project becomes a folder</numerusform>
            <numerusform>%Ln projects become folders</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n parts of unknown kinds</source>
        <translation>
            <numerusform>%Ln part of an unknown kind</numerusform>
            <numerusform>%Ln parts of unknown kinds</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n files hold no conversations</source>
        <translation>
            <numerusform>%Ln file holds no conversations</numerusform>
            <numerusform>%Ln files hold no conversations</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n entries cannot be read</source>
        <translation>
            <numerusform>%Ln entry cannot be read</numerusform>
            <numerusform>%Ln entries cannot be read</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n changes undone</source>
        <translation>
            <numerusform>%Ln change taken back</numerusform>
            <numerusform>%Ln changes taken back</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>With all %n changes that were made in one go</source>
        <translation>
            <numerusform>With the %Ln change that was made in one go</numerusform>
            <numerusform>With all %Ln changes that were made in one go</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n changed by others since are kept</source>
        <translation>
            <numerusform>%Ln changed by others since is kept</numerusform>
            <numerusform>%Ln changed by others since are kept</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln pages</source>
        <translation>
            <numerusform>%Ln page</numerusform>
            <numerusform>%Ln pages</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln characters</source>
        <translation>
            <numerusform>%Ln character</numerusform>
            <numerusform>%Ln characters</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Show %n more</source>
        <extracomment>Parts shown at first, and added at a time.</extracomment>
        <translation>
            <numerusform>Show %Ln more</numerusform>
            <numerusform>Show %Ln more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>AgentCard</name>
    <message numerus="yes">
        <source>%n facts</source>
        <translation>
            <numerusform>%Ln fact</numerusform>
            <numerusform>%Ln facts</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>BulkBar</name>
    <message numerus="yes">
        <source>%n facts chosen</source>
        <translation>
            <numerusform>%Ln fact chosen</numerusform>
            <numerusform>%Ln facts chosen</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>BulkDialog</name>
    <message numerus="yes">
        <source>Edit %n facts</source>
        <translation>
            <numerusform>Edit %Ln fact</numerusform>
            <numerusform>Edit %Ln facts</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Change %n facts</source>
        <translation>
            <numerusform>Change %Ln fact</numerusform>
            <numerusform>Change %Ln facts</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ChangesModel</name>
    <message numerus="yes">
        <source>faded for %n days</source>
        <translation>
            <numerusform>faded for %Ln day</numerusform>
            <numerusform>faded for %Ln days</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n sources</source>
        <translation>
            <numerusform>%Ln source</numerusform>
            <numerusform>%Ln sources</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ChatHead</name>
    <message numerus="yes">
        <source>%n own settings</source>
        <translation>
            <numerusform>%n own setting</numerusform>
            <numerusform>%Ln own settings</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ConsolidationPage</name>
    <message numerus="yes">
        <source>Every %n hours, when no chat is being answered and the computer is not on battery.</source>
        <translation>
            <numerusform>Every hour, when no chat is being answered and the computer is not on battery.</numerusform>
            <numerusform>Every %Ln hours, when no chat is being answered and the computer is not on battery.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ContextMeter</name>
    <message numerus="yes">
        <source>The %n oldest messages no longer fit and were left out.</source>
        <translation>
            <numerusform>The oldest message no longer fits and was left out.</numerusform>
            <numerusform>The %Ln oldest messages no longer fit and were left out.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>About %n of them are being written.</source>
        <translation>
            <numerusform>About %Ln of them is being written.</numerusform>
            <numerusform>About %Ln of them are being written.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>DiagnosticsPage</name>
    <message numerus="yes">
        <source>Open and encrypted; %n messages.</source>
        <translation>
            <numerusform>Open and encrypted; %Ln message.</numerusform>
            <numerusform>Open and encrypted; %Ln messages.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n messages</source>
        <translation>
            <numerusform>%Ln message</numerusform>
            <numerusform>%Ln messages</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more conversations</source>
        <translation>
            <numerusform>%Ln more conversation</numerusform>
            <numerusform>%Ln more conversations</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n restarts</source>
        <translation>
            <numerusform>%Ln restart</numerusform>
            <numerusform>%Ln restarts</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>DiffPane</name>
    <message numerus="yes">
        <source>Make %n changes</source>
        <translation>
            <numerusform>Make %Ln change</numerusform>
            <numerusform>Make %Ln changes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>EntitiesModel</name>
    <message numerus="yes">
        <source>%n mentions</source>
        <translation>
            <numerusform>%Ln mention</numerusform>
            <numerusform>%Ln mentions</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>EntityGraph</name>
    <message numerus="yes">
        <source>%n more below</source>
        <translation>
            <numerusform>%Ln more below</numerusform>
            <numerusform>%Ln more below</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>EntityPane</name>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %Ln more</numerusform>
            <numerusform>and %Ln more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Look for all %n</source>
        <translation>
            <numerusform>Look for it</numerusform>
            <numerusform>Look for all %Ln</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>EpisodesTab</name>
    <message numerus="yes">
        <source>used %n times</source>
        <translation>
            <numerusform>used once</numerusform>
            <numerusform>used %Ln times</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>FactsModel</name>
    <message numerus="yes">
        <source>%n sources</source>
        <translation>
            <numerusform>%Ln source</numerusform>
            <numerusform>%Ln sources</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>used %n times</source>
        <translation>
            <numerusform>used once</numerusform>
            <numerusform>used %Ln times</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>FactsTab</name>
    <message numerus="yes">
        <source>%n facts</source>
        <translation>
            <numerusform>%Ln fact</numerusform>
            <numerusform>%Ln facts</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n facts changed</source>
        <translation>
            <numerusform>%Ln fact changed</numerusform>
            <numerusform>%Ln facts changed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Forget %n facts?</source>
        <translation>
            <numerusform>Forget %Ln fact?</numerusform>
            <numerusform>Forget %Ln facts?</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>HistoryModel</name>
    <message numerus="yes">
        <source>%n messages</source>
        <translation>
            <numerusform>%Ln message</numerusform>
            <numerusform>%Ln messages</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>LearnedChip</name>
    <message numerus="yes">
        <source>Learned %n facts</source>
        <extracomment>Interval between notices of secrets.</extracomment>
        <translation>
            <numerusform>Learned %Ln fact</numerusform>
            <numerusform>Learned %Ln facts</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n wait for review</source>
        <translation>
            <numerusform>%Ln waits for review</numerusform>
            <numerusform>%Ln wait for review</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n secrets left out</source>
        <translation>
            <numerusform>%Ln secret left out</numerusform>
            <numerusform>%Ln secrets left out</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>LearnedPanel</name>
    <message numerus="yes">
        <source>Kept: %n</source>
        <translation>
            <numerusform>Kept: %Ln</numerusform>
            <numerusform>Kept: %Ln</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Waits for review: %n</source>
        <translation>
            <numerusform>Waits for review: %Ln</numerusform>
            <numerusform>Waits for review: %Ln</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Passed over: %n</source>
        <translation>
            <numerusform>Passed over: %Ln</numerusform>
            <numerusform>Passed over: %Ln</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n statements were left out, as the messages do not say them.</source>
        <translation>
            <numerusform>%Ln statement was left out, as the messages do not say it.</numerusform>
            <numerusform>%Ln statements were left out, as the messages do not say them.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>MemoryTestsTab</name>
    <message numerus="yes">
        <source>%n are not found.</source>
        <translation>
            <numerusform>%Ln is not found.</numerusform>
            <numerusform>%Ln are not found.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>MergeDialog</name>
    <message numerus="yes">
        <source>%n facts</source>
        <translation>
            <numerusform>%Ln fact</numerusform>
            <numerusform>%Ln facts</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n episodes</source>
        <translation>
            <numerusform>%Ln episode</numerusform>
            <numerusform>%Ln episodes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n relations</source>
        <translation>
            <numerusform>%Ln relation</numerusform>
            <numerusform>%Ln relations</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ModelsPage</name>
    <message numerus="yes">
        <source>%n more: search for one by name.</source>
        <translation>
            <numerusform>%Ln more: search for it by name.</numerusform>
            <numerusform>%Ln more: search for one by name.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>NotesList</name>
    <message numerus="yes">
        <source>%n files</source>
        <translation>
            <numerusform>%Ln file</numerusform>
            <numerusform>%Ln files</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n passages</source>
        <translation>
            <numerusform>%Ln passage</numerusform>
            <numerusform>%Ln passages</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n files could not be read</source>
        <translation>
            <numerusform>%Ln file could not be read</numerusform>
            <numerusform>%Ln files could not be read</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>PreviewTab</name>
    <message numerus="yes">
        <source>%n tokens</source>
        <translation>
            <numerusform>%Ln token</numerusform>
            <numerusform>%Ln tokens</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ReceiptPanel</name>
    <message numerus="yes">
        <source>Left out: %n</source>
        <translation>
            <numerusform>Left out: %Ln</numerusform>
            <numerusform>Left out: %Ln</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tokens</source>
        <translation>
            <numerusform>%Ln token</numerusform>
            <numerusform>%Ln tokens</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SecretsTold</name>
    <message numerus="yes">
        <source>%n secrets left out</source>
        <translation>
            <numerusform>%Ln secret left out</numerusform>
            <numerusform>%Ln secrets left out</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SeenCard</name>
    <message numerus="yes">
        <source>%n changes</source>
        <translation>
            <numerusform>%Ln change</numerusform>
            <numerusform>%Ln changes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SettingsPage</name>
    <message numerus="yes">
        <source>%n options found</source>
        <translation>
            <numerusform>%Ln option found</numerusform>
            <numerusform>%Ln options found</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>StatusBar</name>
    <message numerus="yes">
        <source>%n parked</source>
        <translation>
            <numerusform>%Ln parked</numerusform>
            <numerusform>%Ln parked</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n pending</source>
        <translation>
            <numerusform>%Ln pending</numerusform>
            <numerusform>%Ln pending</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n new notices</source>
        <translation>
            <numerusform>%Ln new notice</numerusform>
            <numerusform>%Ln new notices</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ToolServersList</name>
    <message numerus="yes">
        <source>%n tools</source>
        <translation>
            <numerusform>%Ln tool</numerusform>
            <numerusform>%Ln tools</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Tray</name>
    <message numerus="yes">
        <source>%n messages wait to be distilled</source>
        <translation>
            <numerusform>%Ln message waits to be distilled</numerusform>
            <numerusform>%Ln messages wait to be distilled</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>UsageCard</name>
    <message numerus="yes">
        <source>Tokens and time of the last %n days, by day and model.</source>
        <translation>
            <numerusform>Tokens and time of the last day, by model.</numerusform>
            <numerusform>Tokens and time of the last %Ln days, by day and model.</numerusform>
        </translation>
    </message>
</context>
</TS>
