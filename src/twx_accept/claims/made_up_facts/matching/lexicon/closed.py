"""The closed word classes of English, and the words that carry structure but no matter."""

from twx_accept.claims.made_up_facts.matching.lexicon import several

DETERMINERS = frozenset(
    several(
        "the a an this that these those each every all both some any no either neither another such what which whose "
        "my your his her its our their several many few much most more less fewer own same"
    )
)
PRONOUNS = frozenset(
    several(
        "i you he she it we they me him us them himself herself itself ourselves themselves myself yourself one ones "
        "who whom nobody everybody somebody anybody everyone someone anyone none nothing something everything "
        "anything there here mine hers theirs ours"
    )
)
SINGULAR_PEOPLE = frozenset({"he", "she", "him", "her", "his", "hers", "himself", "herself"})
FIRST_PERSON = frozenset({"i", "we", "me", "us", "my", "our", "ours", "mine", "ourselves", "myself"})
POSSESSIVES = frozenset({"my", "your", "his", "her", "its", "our", "their", "whose"})
ANAPHORS = frozenset(
    several(
        "he she it they him them his her its their this that these those we us our i my me here there hers theirs "
        "ours mine such former latter ones you your"
    )
)
PREPOSITIONS = frozenset(
    several(
        "of in on at by for with from to into onto upon over under above below between among amid during before after "
        "since until till through throughout across along around near beside besides behind beyond against without "
        "within about towards toward via per than as like unlike despite except off out up down inside outside "
        "opposite past alongside concerning regarding versus because_of instead_of according_to together_with out_of "
        "ahead_of next_to in_front_of as_well_as apart_from up_to in_favour_of such_as in_spite_of on_behalf_of"
    )
)
CONJUNCTIONS = frozenset({"and", "or", "but", "nor", "yet", "&"})
SUBORDINATORS = frozenset(
    several(
        "because since although though while whereas when whenever if unless until before after as where so that once "
        "lest whether so_that in_order_to as_soon_as even_though provided_that"
    )
)
RELATIVES = frozenset({"who", "which", "that", "whom", "whose", "where", "when"})
BE = frozenset({"be", "am", "is", "are", "was", "were", "been", "being"})
HAVE = frozenset({"have", "has", "had", "having"})
DO = frozenset({"do", "does", "did", "done", "doing"})
MODALS = frozenset({"will", "would", "shall", "should", "can", "could", "may", "might", "must", "ought", "cannot"})
AUXILIARIES = BE | HAVE | DO | MODALS | {"get", "got", "gets", "getting"}
NEGATORS = frozenset(
    several(
        "not no never none nobody nothing neither nor without cannot hardly scarcely barely_ever nowhere n't "
        "no_longer no_one"
    )
)
ADVERBS = frozenset(
    several(
        "also too very just then now still already again even only once twice ever always often soon later ago yet so "
        "quite rather almost nearly about roughly approximately around however therefore thus hence meanwhile instead "
        "otherwise together away back there here today tomorrow yesterday perhaps maybe well far long away further "
        "moreover namely first finally mainly mostly largely partly usually generally currently recently previously "
        "formerly originally initially eventually both either respectively altogether apart aside indeed likewise "
        "sometimes seldom rarely somewhat slightly much more less most least least enough too nevertheless "
        "furthermore alone alike afterwards beforehand all_the_same in_total per_cent"
    )
)
TITLES = frozenset(
    several(
        "mr mrs ms miss dr prof professor sir lady lord dame madam messrs rev reverend fr father sister brother st "
        "saint captain capt colonel col general gen major lieutenant lt sergeant admiral judge justice president "
        "minister mayor count countess duke duchess prince princess king queen emperor bishop chief officer doctor "
        "nurse matron don doña baron baroness earl hon honourable senator governor ambassador chancellor grandmaster"
    )
)
ABBREVIATIONS = frozenset(
    several(
        "mr mrs ms dr prof st sgt capt col gen lt rev hon jr sr vs no nos vol fig ca c approx est inc ltd co corp "
        "dept jan feb mar apr jun jul aug sep sept oct nov dec messrs etc e.g i.e a.m p.m u.s u.k ave rd mt ft pp ed "
        "eds al cf bros mme mlle maj adm gov sen rep pres supt dipl ing art para sec ch"
    )
)
# Words that a restatement may add or drop without stating anything new.
LIGHT = frozenset(
    several(
        "possession ownership existence presence be have do make get give remain stay keep go come put let say state "
        "note mention report describe name see show contain comprise involve consist feature occur happen exist "
        "amount number figure quantity thing case fact kind sort type form sum level rate value place passage text "
        "document article story letter altogether participate content point compare overall respective specific "
        "particular actual approximately exactly precise exact currently now today also too very just still already "
        "again even then thus therefore however there here well same such able use serve act seem appear prove "
        "require must should would could can may might will shall respectively namely particularly especially mean "
        "belong provide person people one someone somebody there's located situated based locate situate base reach "
        "stand lie measure stretch equal represent record list per each cause result because due consequence effect "
        "follow owing thanks so since as that when while during within"
    )
)
# Hypernyms and roles by which a text's own subject is spoken of.
GENERIC = frozenset(
    several(
        "accident crew device site section collision match game tournament "
        "election festival exhibition voyage journey tour experiment treaty party "
        "expedition family manuscript volume copy apparatus author writer narrator speaker columnist correspondent "
        "person people man woman individual member group team organisation organization company firm business "
        "institution body agency authority enterprise building structure location place area region object item unit "
        "machine product system project programme program event occasion process activity document report survey "
        "study trial research article period year day figure number amount value rate price cost sum level thing "
        "matter subject topic town city village country vessel ship boat vehicle plant facility"
    )
)

HONORIFICS = frozenset(several("mr mrs ms miss dr prof professor sir messrs madam mme herr frau don dona rev hon"))
