"""The words that readers look for in prose, in all languages: parts of regular expressions.

Each group is English, then German; another language is another argument."""

from __future__ import annotations


def _either(*languages: str) -> str:
    return f"(?:{'|'.join(languages)})"


# Dice and rolls
ROLLS = _either(
    r"(?:re-?)?(?:roll(?:s|ed|ing)?|throw(?:s|n|ing)?|threw|gets?|got|getting|shows?|showed|showing|com(?:e|es|ing)\sup"
    r"|came\sup|turn(?:s|ed)?\sup|lands?\son|landed\son|lands?|scor(?:ed|ing|es(?!\s(?:are|were|of|is|in|for)\b))|reads?"
    r"|brings?\sup|dice\sare|die\sis|dice:)",
    r"würfel(?:t|te|ten|n)|würfle|wirft|werfen|warf(?:en)?|zeig(?:t|en|te|ten)|es\s(?:fallen|fielen|fällt|fiel)|bekommt"
    r"|bekam|erzielt|erhält|würfel:",
)
DICE = _either("die|dice", "würfeln?")
TAKES_DICE = _either(
    r"roll(?:s|ed|ing)?|throw(?:s|n|ing)?|threw|ha(?:s|ve|d)|total\sof|picks\sup|gathers?",
    r"würfel(?:t|te|ten|n)|würfle|wirft|werfen|warf|hat|nimmt|mit",
)
WHOSE_DICE = _either(r"all|her|his|their|its|your|up|a\stotal\sof", r"mit|alle|seine[nr]?|ihre[nr]?|insgesamt")
OTHER_DICE = _either(
    "more|additional|extra|another|bonus|other|of|fewer|less",
    "weitere[nr]?|zusätzliche[nr]?|mehr|weniger|andere[nr]?|von",
)
POOL_IS = _either("of|is|was|contains|has|at|to|:|with", "von|ist|hat|beträgt")
NOW = _either(r"a\stotal\sof|now|only|just", "jetzt|nur")
A = _either(r"an?|another|one|a\sfurther", r"eine?|noch\seine")
AND = _either(r"and(?:\sthen)?|then|plus", r"und(?:\sdann)?|dann|sowie")
ONLY = _either(r"only|just|exactly|up|a\snatural", r"(?:aber\s)?nur|genau|lediglich")
MORE_OR_LESS = _either("higher|better|more|less|lower|above|below", "höher|besser|mehr|weniger|niedriger")
AFTER_RESULT = _either(
    r"and|but|so|then|for|on|with|which|giving|making|totall?ing|against|at|in|from|to|as|plus|while|before|after"
    r"|instead|again|this|because|when|is|are|he|she|they|his|her|their",
    "und|aber|dann|für|auf|mit|gegen|bei|im|als|sowie|während|bevor|danach|wieder|weil|ist|sind|er|sie|es|ihr|sein|das"
    "|der|zusammen|insgesamt",
)

# Limits and ranges
MORE_THAN = _either(
    r"(?:more|greater|higher|larger|bigger|other)\s+than|above|over|beyond|exceed(?:s|ing)?|past",
    r"(?:mehr|größer|höher)\s+als|über",
)
LESS_THAN = _either(r"(?:less|fewer|lower|smaller)\s+than|below|under", r"(?:weniger|kleiner|niedriger)\s+als|unter")
AT_MOST = _either(r"at\s+most|up\s+to|maximum(?:\s+(?:of|is))?|limit\s+of|limited\s+to", r"höchstens|maximal|bis\s+zu")
AT_LEAST = _either(
    r"at\s+least|minimum(?:\s+(?:of|is))?|from|starting\s+(?:at|from)|reach(?:es)?", "mindestens|wenigstens|ab"
)
OR_MORE = _either(
    r"(?:or|and)\s+(?:more|higher|better|above|greater|over|up|beyond)|at\s+least",
    r"(?:oder|und)\s+(?:mehr|höher|besser)",
)
OR_LESS = _either(
    r"(?:or|and)\s+(?:less|lower|fewer|below|under|worse|down)|at\s+(?:the\s+)?most",
    r"(?:oder|und)\s+(?:weniger|niedriger|darunter)",
)
TO = _either(r"\b(?:to|through)\b", r"\bbis\b")  # between the ends of a range

# What is said of a result
COUNTED = {  # the singular of what is counted, by its forms
    **dict.fromkeys(("success", "successes", "erfolg", "erfolge", "erfolgen"), "success"),
    **dict.fromkeys(("botch", "botches", "patzer", "patzern"), "botch"),
    **dict.fromkeys(("failure", "failures", "fehlschlag", "fehlschläge", "fehlschlägen"), "failure"),
    **dict.fromkeys(("hit", "hits", "treffer", "treffern"), "hit"),
    **dict.fromkeys(("miss", "misses"), "miss"),
    **{form: noun for noun in ("fumble", "raise", "boon", "bane") for form in (noun, f"{noun}s")},
}
DIFFICULTY = _either(
    r"difficulty(?:\s(?:number|value|level|rating|class))?(?:\s(?:to|for)(?:\s[\w’']+){1,4}?(?=\s(?:is|was)))?"
    r"|target(?:\s(?:number|value))?|TN|DC",
    "schwierigkeit(?:sgrad)?|zielwert|mindestwurf",
)
NUMBER_IS = _either(r"of|is|was|been|at|to|set\s(?:at|to)|equals?|stays\sat|being", "von|ist|war|beträgt|auf")
ALSO_NOW = _either("also|only|just|now|an?", "auch|nur|jetzt")
OF_A_CHANGE = _either(
    "higher|harder|lower|easier|more|less|dice|successes|dots", "höher|niedriger|leichter|mehr|weniger|würfeln?|erfolge"
)
AGAINST = _either(r"against|versus|vs\.?|rolling\sfor|beat|meet", "gegen")
OTHER_COUNTS = _either("more|additional|extra|further|other", "weitere[nr]?|zusätzliche[nr]?|mehr|andere[nr]?")
LAST_COUNTS = _either("net|remaining|final", "übrige[nr]?|verbleibende[nr]?")
IN_TOTAL = _either(r"in\stotal|in\sall|altogether|total", "insgesamt|zusammen")
COMES_TO = _either(
    r"adds?\sup\sto|adding\sup\sto|sums?\s(?:of|to)|comes\sto|came\sto|for|mak(?:es|ing)|giv(?:es|ing)",
    r"ergibt|ergeben|macht|kommt\sauf|zusammen|insgesamt|summe(?:\s(?:ist|von))?",
)
TOTALS = _either("total|result|value|score|sum|add", "summe|ergebnis|insgesamt|zusammen|ergibt|ergeben")
RESULT_IS = _either(
    r"is|was|it['’]?s|means|makes|counts\sas|comes\sto|result\sof", r"ist|war|bedeutet|ergibt|heißt|wird\szu"
)
NOT = _either(
    r"\b(?:not|never|no|nobody|none|nothing|neither|nor|without|hardly|cannot)|n['’]t", r"\b(?:nicht|nie|ohne|kein\w*)"
)
_NO_DIE = "".join(rf"(?<!\b{word}\s)" for word in ("the", "a", "each", "every", "this", "that", "one", "wild", "any"))
THE = _either("an?|the", rf"eine?n?|der|{_NO_DIE}die|das|ein")  # "the die" is no article
JOINS = _either("and|with", "und|mit")  # between settings

# Facts and suppositions
_FALLS = (
    r"falls(?=\s(?:der|die|das|du|er|sie|es|eine?\w?|keine?\w?|man|ihr|wir|ich|alle|nur|kein)\b)"  # not "falls short"
)
EXAMPLE = _either("examples?", "beispiele?")
SUPPOSES = _either(
    "if|had|were|should|suppose|imagine|when|whenever|unless|without|otherwise|any|every|each",
    rf"wenn|{_FALLS}|sollte|würde|hätte|wäre|angenommen|ohne|sonst|jede[rs]?",
)
IF = _either("if|unless|whether|as though", rf"wenn|{_FALLS}|ob|als\sob")
SETS_SCENE = _either("if|when|suppose|imagine", "wenn|angenommen")
MODALS = _either(
    r"would|could|might|may|can|cannot|can't|should|must|(?-i:will)|won't|shall|needs?\sto|ha(?:s|ve|d)\sto|need(?:s|ed|ing)?"
    r"|tr(?:y|ies|ied|ying)\sto|hop(?:es?(?!\s(?:die|dice)\b)|ed|ing)|wants?|wanted|chance|chances|odds|likely|unlikely"
    r"|almost|nearly"
    r"|potentially|perhaps|maybe",
    "würden?|könnten?|kann|können|dürften?|darf|dürfen|soll(?:en|te|ten)?|muss|müss(?:en|te|ten)|wird|wollen|möchten?"
    "|brauch(?:t|en|te)|bräuchten?|hätten?|wären?|hofft|versucht|beinahe|vielleicht|vermutlich",
)
MODALS_AFTER = _either(
    "would|could|might|may|can|will|should|must|is needed|are needed|is required",
    r"(?:(?:würfeln|erreichen|zeigen)\s)?(?:würden?|könnten?|kann|muss|müssten?|soll(?:te)?|braucht|reicht|reichen)",
)
HARD_CLAUSE = _either("but|because|while|though|although|so|therefore", "aber|weil|während|obwohl|sodass|doch|deshalb")
CLAUSE = _either(f"{HARD_CLAUSE}|which|who")
CLAUSE_AFTER_COMMA = _either(
    "and|then|he|she|they|it|you|we|I|the|his|her|their", "und|dann|er|es|sie|ihr|wir|ich|du|der|das"
)
