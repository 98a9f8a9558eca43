from tessera_core.provider import PATH, Field, Guide, Provider, Text, Translated

PROVIDER = Provider(
    type=77,
    key="attic",
    name="Attic Disks",
    position=9,
    search_words="attic disks",
    link_hosts=(".attic.example",),
    fields=(
        Field(
            "shelf",
            Text("Shelf", "Raf", "الرف"),
            help=Text("On the door.", "Kapının üzerinde.", "على الباب."),
            pattern=r"[a-z]{3,20}",
            problems={"shelf": Text("This is no shelf.", "Bu bir raf değil.", "هذا ليس رفًا.")},
        ),
        Field(
            "padlock",
            Text("Padlock", "Asma kilit", "القفل"),
            help=Text("Its number.", "Numarası.", "رقمه."),
            secret=True,
        ),
        Field("path", PATH, help=Text("A box.", "Bir kutu.", "صندوق."), required=False),
    ),
    console_name="Attic",
    console_url="https://attic.example/",
    guide=Translated(
        en=Guide(("Climb up.",), "Rule", "Little.", ()),
        tr=Guide(("Yukarı çıkın.",), "Kural", "Az.", ()),
        ar=Guide(("اصعد.",), "قاعدة", "قليل.", ()),
    ),
    snippet="shelf:{shelf}",
    browsers=Text("Open the window.", "Pencereyi açın.", "افتح النافذة."),
    bucket_field="shelf",
)
