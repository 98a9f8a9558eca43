"""Dropbox, with a refresh token of an app, or with an access token alone."""

from tessera_core.provider import PATH, PATH_HINT, Field, Guide, Provider, Text, Translated

PROVIDER = Provider(
    type=1,
    key="dropbox",
    name="Dropbox",
    position=4,
    search_words="dropbox",
    link_hosts=(
        "content.dropboxapi.com",
        ".dropboxusercontent.com",
    ),
    fields=(
        Field(
            "app_key",
            Text("App Key", "Uygulama anahtarı", "مفتاح التطبيق"),
            help=Text(
                "**App key** on the Settings tab.",
                "Settings sekmesindeki **App key**.",
                "**App key** في تبويب Settings.",
            ),
            hint=Text(
                "With the app’s secret and a refresh token the connection lasts. Leave all three empty to use an access token.",
                "Gizli anahtar ve yenileme belirteciyle birlikte bağlantı kalıcı olur. Erişim belirteci kullanmak için üçünü de boş bırakın.",
                "مع سر التطبيق ورمز التحديث يدوم الاتصال. اترك الثلاثة فارغة لاستخدام رمز وصول.",
            ),
            pattern=r"[A-Za-z0-9]{4,64}",
            problems={
                "app_key": Text(
                    "This is not a Dropbox app key.",
                    "Bu bir Dropbox uygulama anahtarı değil.",
                    "هذا ليس مفتاح تطبيق Dropbox.",
                )
            },
        ),
        Field(
            "app_secret",
            Text("App Secret", "Uygulama gizli anahtarı", "سر التطبيق"),
            help=Text(
                "**App secret** on the Settings tab.",
                "Settings sekmesindeki **App secret**.",
                "**App secret** في تبويب Settings.",
            ),
            secret=True,
            pattern=r"[A-Za-z0-9]{8,64}",
            problems={
                "app_secret": Text(
                    "This is not a Dropbox app secret.",
                    "Bu bir Dropbox uygulama gizli anahtarı değil.",
                    "هذا ليس سر تطبيق Dropbox.",
                )
            },
        ),
        Field(
            "refresh_token",
            Text("Refresh Token", "Yenileme belirteci", "رمز التحديث"),
            help=Text(
                "The value of `refresh_token`, without the quotation marks.",
                "`refresh_token` değeri, tırnak işaretleri olmadan.",
                "قيمة `refresh_token` دون علامتي الاقتباس.",
            ),
            secret=True,
            wide=True,
            pattern=r"[A-Za-z0-9._~+/=-]{16,4096}",
            problems={
                "refresh_token": Text(
                    "This is not a Dropbox refresh token.",
                    "Bu bir Dropbox yenileme belirteci değil.",
                    "هذا ليس رمز تحديث Dropbox.",
                )
            },
        ),
        Field(
            "access_token",
            Text("Access Token", "Erişim belirteci", "رمز الوصول"),
            help=Text(
                "Instead of the three above: the token that **Generate** on the Settings tab shows. It lasts about four hours.",
                "Yukarıdaki üçünün yerine: Settings sekmesindeki **Generate** düğmesinin gösterdiği belirteç. Yaklaşık dört saat geçerlidir.",
                "بدلًا من الثلاثة أعلاه: الرمز الذي يعرضه **Generate** في تبويب Settings. يدوم نحو أربع ساعات.",
            ),
            hint=Text(
                "Lasts about four hours. Not needed with a refresh token.",
                "Yaklaşık dört saat geçerlidir. Yenileme belirteci varsa gerekmez.",
                "يدوم نحو أربع ساعات. لا حاجة إليه مع رمز التحديث.",
            ),
            secret=True,
            wide=True,
            pattern=r"[A-Za-z0-9._~+/=-]{16,4096}",
            problems={
                "access_token": Text(
                    "This is not a Dropbox access token.",
                    "Bu bir Dropbox erişim belirteci değil.",
                    "هذا ليس رمز وصول من Dropbox.",
                )
            },
        ),
        Field(
            "path",
            PATH,
            help=Text(
                "A folder inside the app’s folder, for example `tessera`.",
                "Uygulama klasörünün içindeki bir klasör, örneğin `tessera`.",
                "مجلد داخل مجلد التطبيق، مثل `tessera`.",
            ),
            hint=PATH_HINT,
        ),
    ),
    console_name="Dropbox App Console",
    console_url="https://www.dropbox.com/developers/apps",
    guide=Translated(
        en=Guide(
            steps=(
                "Open the Dropbox App Console and press **Create app**.",
                "Choose **Scoped access**, then **App folder**. Give the app a name, for example `tessera-yourcompany`, and press **Create app**.",
                "On the **Permissions** tab, tick only the scopes below and press **Submit**. Do this first: a token keeps the permissions it was created with.",
                "On the **Settings** tab, copy **App key** and **App secret**.",
                "Open `https://www.dropbox.com/oauth2/authorize?client_id=APP_KEY&response_type=code&token_access_type=offline` with your app key in place of `APP_KEY`, press **Allow** and copy the code.",
                "Exchange the code for a refresh token: `curl https://api.dropboxapi.com/oauth2/token -d grant_type=authorization_code -d code=CODE -u APP_KEY:APP_SECRET`. The answer contains `refresh_token`.",
                "Paste app key, app secret and refresh token into the form and enter a folder for the pieces. The folder is inside `Apps` and your app’s name in your Dropbox.",
            ),
            snippet="Permissions to tick",
            permissions="Dropbox has no policy document. These three scopes in an **App folder** app are enough: the app sees only its own folder.",
            notes=(
                "`account_info.read` is always ticked and cannot be removed. Leave all sharing, contacts and team scopes off.",
            ),
            warning="A refresh token with the app’s key and secret lasts until you revoke it. An access token alone lasts about four hours (it starts with `sl.`): when it expires, the warehouse becomes Not Connected until you enter a new one. Use one only to try things out.",
        ),
        tr=Guide(
            steps=(
                "Dropbox App Console’u açın ve **Create app** düğmesine basın.",
                "**Scoped access**, ardından **App folder** seçin. Uygulamaya bir ad verin, örneğin `tessera-sirketiniz`, ve **Create app** düğmesine basın.",
                "**Permissions** sekmesinde yalnızca aşağıdaki kapsamları işaretleyip **Submit** düğmesine basın. Önce bunu yapın: belirteç, oluşturulduğu andaki izinleri taşır.",
                "**Settings** sekmesinde **App key** ve **App secret** değerlerini kopyalayın.",
                "`https://www.dropbox.com/oauth2/authorize?client_id=APP_KEY&response_type=code&token_access_type=offline` adresini, `APP_KEY` yerine uygulama anahtarınızı yazarak açın, **Allow** düğmesine basın ve kodu kopyalayın.",
                "Kodu yenileme belirtecine çevirin: `curl https://api.dropboxapi.com/oauth2/token -d grant_type=authorization_code -d code=CODE -u APP_KEY:APP_SECRET`. Yanıtta `refresh_token` bulunur.",
                "Uygulama anahtarını, gizli anahtarı ve yenileme belirtecini forma yapıştırın ve parçalar için bir klasör girin. Klasör, Dropbox’ınızda `Apps` ve uygulamanızın adının içindedir.",
            ),
            snippet="İşaretlenecek izinler",
            permissions="Dropbox’ta politika belgesi yoktur. **App folder** türündeki bir uygulamada bu üç kapsam yeterlidir: uygulama yalnızca kendi klasörünü görür.",
            notes=(
                "`account_info.read` her zaman işaretlidir ve kaldırılamaz. Paylaşım, kişiler ve ekip kapsamlarının hiçbirini işaretlemeyin.",
            ),
            warning="Uygulama anahtarı ve gizli anahtarla birlikte bir yenileme belirteci, siz iptal edene kadar geçerlidir. Tek başına bir erişim belirteci (`sl.` ile başlar) yaklaşık dört saat geçerlidir: süresi dolunca depo, yenisini girene kadar Bağlı Değil durumuna geçer. Yalnızca denemek için kullanın.",
        ),
        ar=Guide(
            steps=(
                "افتح Dropbox App Console واضغط **Create app**.",
                "اختر **Scoped access** ثم **App folder**. أعطِ التطبيق اسمًا، مثل `tessera-yourcompany`، واضغط **Create app**.",
                "في تبويب **Permissions** حدّد النطاقات المذكورة أدناه فقط واضغط **Submit**. افعل ذلك أولًا: يحتفظ الرمز بالصلاحيات التي أُنشئ بها.",
                "في تبويب **Settings** انسخ **App key** و**App secret**.",
                "افتح `https://www.dropbox.com/oauth2/authorize?client_id=APP_KEY&response_type=code&token_access_type=offline` مع وضع مفتاح تطبيقك مكان `APP_KEY`، ثم اضغط **Allow** وانسخ الرمز.",
                "بدّل الرمز برمز تحديث: `curl https://api.dropboxapi.com/oauth2/token -d grant_type=authorization_code -d code=CODE -u APP_KEY:APP_SECRET`. تحتوي الإجابة على `refresh_token`.",
                "الصق مفتاح التطبيق وسره ورمز التحديث في النموذج وأدخل مجلدًا للأجزاء. يقع المجلد داخل `Apps` واسم تطبيقك في Dropbox.",
            ),
            snippet="الصلاحيات المطلوب تحديدها",
            permissions="ليس لدى Dropbox مستند سياسات. تكفي هذه النطاقات الثلاثة في تطبيق من نوع **App folder**: لا يرى التطبيق سوى مجلده.",
            notes=(
                "النطاق `account_info.read` محدَّد دائمًا ولا يمكن إزالته. اترك جميع نطاقات المشاركة وجهات الاتصال والفريق غير محدَّدة.",
            ),
            warning="رمز التحديث مع مفتاح التطبيق وسره يدوم حتى تُلغيه. أما رمز الوصول وحده (يبدأ بـ `sl.`) فيدوم نحو أربع ساعات: عند انتهائه يصبح المستودع غير متصل حتى تُدخل رمزًا جديدًا. استخدمه للتجربة فقط.",
        ),
    ),
    snippet="files.metadata.read\nfiles.content.read\nfiles.content.write",
    browsers=Text(
        "Dropbox has no rules to set. If the connection test says that browsers cannot read, pieces of shares pass through the service.",
        "Dropbox’ta ayarlanacak kural yoktur. Bağlantı testi tarayıcıların okuyamadığını söylerse paylaşımların parçaları hizmet üzerinden geçer.",
        "لا قواعد تُضبط في Dropbox. إذا أظهر اختبار الاتصال أن المتصفحات لا تستطيع القراءة فإن قطع المشاركات تمر عبر الخدمة.",
    ),
    alternatives=(("app_key", "app_secret", "refresh_token"), ("access_token",)),
)
