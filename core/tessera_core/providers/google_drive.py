"""Google Drive, which cannot be connected yet: the help page says what to prepare."""

from tessera_core.provider import Field, Guide, Provider, Text, Translated

PROVIDER = Provider(
    type=2,
    key="google_drive",
    name="Google Drive",
    position=5,
    search_words="google drive",
    link_hosts=(),
    fields=(
        Field(
            "client_id",
            Text("Client Id", "İstemci kimliği", "معرّف العميل"),
            help=Text(
                "Ends in `.apps.googleusercontent.com`.",
                "`.apps.googleusercontent.com` ile biter.",
                "ينتهي بـ `.apps.googleusercontent.com`.",
            ),
        ),
        Field(
            "client_secret",
            Text("Client Secret", "İstemci gizli anahtarı", "سر العميل"),
            help=Text("Starts with `GOCSPX-`.", "`GOCSPX-` ile başlar.", "يبدأ بـ `GOCSPX-`."),
        ),
        Field(
            "folder_id",
            Text("Folder Id", "Klasör kimliği", "معرّف المجلد"),
            help=Text(
                "The part of the folder’s address after `/folders/`.",
                "Klasör adresinin `/folders/` ifadesinden sonraki bölümü.",
                "الجزء الذي يلي `/folders/` من عنوان المجلد.",
            ),
        ),
    ),
    console_name="Google Cloud console",
    console_url="https://console.cloud.google.com/",
    guide=Translated(
        en=Guide(
            steps=(
                "In the Google Cloud console, choose a project or create one. Open **APIs & Services**, then **Library**, find **Google Drive API** and press **Enable**.",
                "Open **Google Auth Platform**. Under **Branding**, enter a name and a contact address. Under **Audience**, choose **Internal** if your company uses Google Workspace, otherwise **External**.",
                "Under **Data Access**, press **Add or remove scopes** and add only the scope below.",
                "Under **Clients**, press **Create client**, choose **Desktop app** and press **Create**. Copy the client ID and the client secret now: the secret is not shown again.",
                "In Google Drive, create an empty folder for Tessera only and open it. Its ID is the last part of the address, after `/folders/`.",
            ),
            snippet="OAuth scope",
            permissions="This scope covers only files that the app creates or that you open with it, and nothing else in your Drive.",
            notes=("Do not add `auth/drive`: it opens the whole Drive.",),
            warning="Google Drive cannot be connected yet. You can prepare these values, but the warehouse form does not ask for them.",
        ),
        tr=Guide(
            steps=(
                "Google Cloud konsolunda bir proje seçin ya da yeni bir proje oluşturun. **APIs & Services**, ardından **Library** bölümünü açın, **Google Drive API** öğesini bulun ve **Enable** düğmesine basın.",
                "**Google Auth Platform** bölümünü açın. **Branding** altında bir ad ve iletişim adresi girin; **Audience** altında, şirketiniz Google Workspace kullanıyorsa **Internal**, kullanmıyorsa **External** seçin.",
                "**Data Access** altında **Add or remove scopes** düğmesine basın ve yalnızca aşağıdaki kapsamı ekleyin.",
                "**Clients** altında **Create client** düğmesine basın, **Desktop app** seçin ve **Create** düğmesine basın. İstemci kimliğini ve gizli anahtarı hemen kopyalayın: gizli anahtar bir daha gösterilmez.",
                "Google Drive’da yalnızca Tessera için boş bir klasör oluşturup açın. Klasörün kimliği, adresin `/folders/` ifadesinden sonraki son bölümüdür.",
            ),
            snippet="OAuth kapsamı",
            permissions="Bu kapsam yalnızca uygulamanın oluşturduğu veya sizin onunla açtığınız dosyaları içerir; Drive’ınızdaki başka hiçbir şeye ulaşmaz.",
            notes=("`auth/drive` kapsamını eklemeyin: Drive’ın tamamını açar.",),
            warning="Google Drive henüz bağlanamıyor. Bu değerleri hazırlayabilirsiniz, ancak depo formu henüz bunları sormuyor.",
        ),
        ar=Guide(
            steps=(
                "في وحدة تحكم Google Cloud اختر مشروعًا أو أنشئ مشروعًا جديدًا. افتح **APIs & Services** ثم **Library**، وابحث عن **Google Drive API** واضغط **Enable**.",
                "افتح **Google Auth Platform**. تحت **Branding** أدخل اسمًا وعنوان تواصل، وتحت **Audience** اختر **Internal** إذا كانت شركتك تستخدم Google Workspace، وإلا فاختر **External**.",
                "تحت **Data Access** اضغط **Add or remove scopes** وأضف النطاق المذكور أدناه فقط.",
                "تحت **Clients** اضغط **Create client** واختر **Desktop app** ثم اضغط **Create**. انسخ معرّف العميل وسر العميل فورًا: لن يظهر السر مرة أخرى.",
                "في Google Drive أنشئ مجلدًا فارغًا مخصصًا لـ Tessera وحدها وافتحه. معرّفه هو الجزء الأخير من العنوان بعد `/folders/`.",
            ),
            snippet="نطاق OAuth",
            permissions="يشمل هذا النطاق الملفات التي ينشئها التطبيق أو التي تفتحها به فقط، ولا يصل إلى أي شيء آخر في Drive.",
            notes=("لا تضف `auth/drive`: فهو يفتح Drive بأكمله.",),
            warning="لا يمكن ربط Google Drive بعد. يمكنك تجهيز هذه القيم، لكن نموذج المستودع لا يطلبها حاليًا.",
        ),
    ),
    snippet="https://www.googleapis.com/auth/drive.file",
    browsers=Text(
        "Google Drive has no rules to set.",
        "Google Drive’da ayarlanacak kural yoktur.",
        "لا قواعد تُضبط في Google Drive.",
    ),
    is_connectable=False,
)
