"""Function words by language; data of :mod:`memdesk.domain.language.text` and of the language vote."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


#: Function words of the languages that ship with rules. They carry no topic, so searches leave them out.
STOP_WORDS: dict[str, frozenset[str]] = {
    "en": _words(
        """a about after again all also am an and any are as at be because been before being both but by can
        could d did do does doing don done during each even every few for from further get gets getting go goes going
        got had has have having he her here hers herself him himself his how i if in into is isn it its itself just ll
        m me might more most much must my myself no nor not now of off on once only or other our ours ourselves out
        over own re really s same shall she should so some such t than that the their theirs them themselves then
        there these they this those through to too under until up us very ve was we were what when where which while
        who whom whose why will with would yes you your yours yourself yourselves"""
    ),
    "de": _words(
        """aber alle allem allen aller alles als also am an ander andere anderen auch auf aus bei bin bis bist da damit
        dann das dass dein deine deinem deinen deiner dem den denn der des dich die dies diese diesem diesen dieser
        dieses dir doch dort du durch ein eine einem einen einer eines er es etwas euch euer eure für gegen hab
        habe haben hat hatte hatten hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in ins ist ja jede
        jedem jeden jeder jedes jetzt kann kein keine keinem keinen keiner können man mein meine meinem meinen
        meiner mich mir mit nach nicht nichts noch nun nur ob oder ohne sehr sein seine seinem seinen seiner sich sie
        sind so über um und uns unser unsere unter vom von vor war waren warum was weil welche welcher welches
        wenn wer werde werden wie wieder will wir wird wo wurde wurden zu zum zur zwar zwischen"""
    ),
    "fr": _words(
        """ai aie ait alors as au aux avait avec avez avoir avons c ce ces cet cette ceux ci comme comment combien d dans de des donc
        du elle elles en est et été était être eu eux fait il ils j je l la le les leur leurs lui
        m ma mais me même mes moi mon n ne ni nos notre nous on ont ou où par pas peu plus pour pourquoi qu
        quand que quel quelle quelles quels qui quoi s sa sans se sera ses si son sont suis sur t ta te tes toi ton
        tous tout toute toutes très tu un une vos votre vous y"""
    ),
    "es": _words(
        """a al algo ante antes aquí así con como cómo cual cuál cuáles cuánto cuántos cuántas cuándo cuando de del desde donde dónde e el él ella
        ellas ellos en entre era eran es esa esas ese eso esos esta está están estas este esto estos fue
        fueron ha han has hasta hay he la las le les lo los más me mi mí mis mucho muy nada ni no nos nosotros
        nuestra nuestro o os otra otro para pero poco por porque qué que quién quien se sea ser sí si
        sin sobre son soy su sus también te tiene tengo ti todo todos tu tú tus un una uno unos usted y ya
        yo"""
    ),
}
