"""Texts that try to act on a terminal, on a reader's eye, or as markup."""

ESC, ST, BEL = "\x1b", "\x1b\\", "\x07"

SEQUENCES = (
    f"{ESC}]0;PWNED{BEL}",
    f"{ESC}]0;PWNED{ST}",
    f"{ESC}]2;PWNED{ST}",
    f"{ESC}]4;1;?{ST}",
    f"{ESC}]7;file:///PWNED{ST}",
    f"{ESC}]8;;https://evil.example/{ST}here{ESC}]8;;{ST}",
    f"{ESC}]9;PWNED{ST}",
    f"{ESC}]10;#dddddd{ST}{ESC}]10;?{ST}",
    f"{ESC}]52;c;UFdORUQ={BEL}",
    f"{ESC}]52;c;?{ST}",
    f"{ESC}]777;notify;a;b{ST}",
    f"{ESC}]1337;File=inline=1:AAAA{ST}",
    f"{ESC}[777A{ESC}[2KPWNED",
    f"{ESC}[777;777H",
    f"{ESC}[3J{ESC}[777X",
    f"{ESC}[6n",
    f"{ESC}[c",
    f"{ESC}[>q",
    f"{ESC}[21t",
    f"{ESC}[5;8m",
    f"{ESC}[4h",
    f"{ESC}[>31u",
    f"{ESC}[?1047l",
    f"{ESC}[?1005h",
    f"{ESC}[777;778r",
    f"{ESC}c",
    f"{ESC}#8",
    f"{ESC}(0",
    f"{ESC}P$qm{ST}",
    f"{ESC}P+q544e{ST}",
    f"{ESC}Ptmux;{ESC}{ESC}]2;PWNED{BEL}{ST}",
    f"{ESC}_Gf=24;AAAA{ST}",
    f"{ESC}^pm{ST}",
    f"{ESC}Xsos{ST}",
    "\x9b777m",
    "\x9d2;PWNED\x9c",
    "\x90q\x9c",
    "safe\b\b\b\bEVIL",
    "safe text\rEVIL TEXT",
    f"{ESC}]0;swallows the rest",
)
"""Of every kind there is; their numbers are none that a browser would send itself."""

CHARACTERS = sorted(
    {
        *map(chr, range(0x20)),
        *map(chr, range(0x7F, 0xA0)),
        *"\u00ad\u061c\u180e\u200b\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e",
        *"\u2060\u2066\u2067\u2068\u2069\u206f\ufeff\ufff9\ufffa\ufffb\U000e0041\U000e007f",
    }
    - {"\n"}
)
"""Every control, and whatever turns the direction of writing or is not seen."""

MARKUP = (
    "[/]",
    "[/foo]",
    "see [/usr/bin/env] for more",
    "\\[/]",
    "[bold",
    "[/",
    "[@click=app.quit]Click me[/]",
    "[ @click=app.quit]Click me[/]",
    "[\t@click=app.quit]Click me[/]",
    "[@click=app.screenshot('PWNED.svg','.')]Click me[/]",
    "[@click=app.simulate_key('Q')]Click me[/]",
    "[@click=app.notify('PWNED')]Click me[/]",
    "[@click=app.suspend_process]Click me[/]",
    "[@click=screen.dismiss]Click me[/]",
    "[@click=no.such.ns()]Click me[/]",
    '[link="file:///etc/passwd"]Click me[/link]',
    f'[link="x{ST}{ESC}]2;PWNED{ST}"]Click me[/link]',
    "[Bold]upper[/Bold]",
    "[$background on $background]hidden[/]",
    "[red on nocolour]x[/]",
    '[link="abc]x',
    "[" * 200,
    "x[0] = y[i][j]",
    "[[a|b]]",
    ":bomb: :warning:",
    "$title ${title} $$",
    "<Foo 'bar' 1.0 None http://x/>",
    "[not bold]x[/not bold]",
)
"""What Textual or Rich would take for markup, were it asked to."""

LINKS = (
    "[label](https://good.example@evil.example/)",
    "[label](file:///etc/passwd)",
    "[label](javascript:alert(1))",
    "[label](--remote-debugging-port=9222)",
    "[label](ssh://-oProxyCommand=touch%20PWNED)",
    "[label](vscode://file/etc/passwd)",
    "[label](../../../../etc/passwd)",
    "[label](<http://a/; touch PWNED #>)",
    f"[label](<http://a/{ESC}]2;PWNED>)",
    "![label](http://evil.example/track.png)",
)
"""Links that nobody ought to open."""

ALL = (*SEQUENCES, *(f"a{one}b" for one in CHARACTERS), *MARKUP)
"""Each of them, as a text of one line."""
