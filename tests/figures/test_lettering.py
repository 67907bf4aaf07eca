from scoring.figures.lettering import text_width, wrapped


def test_lines_are_broken_between_words_and_long_words_cut():
    assert wrapped("number of pairs", 50, 10) == ["number of", "pairs"]
    assert wrapped("unconstitutionally so", 40, 10) == ["uncons…", "so"]
    assert wrapped("", 40, 10) == []
    assert wrapped("any", 0, 10) == ["…"]


def test_letters_differ_in_width():
    assert text_width("i", 10) < text_width("n", 10) < text_width("N", 10) < text_width("W", 10) < text_width("語", 10)
