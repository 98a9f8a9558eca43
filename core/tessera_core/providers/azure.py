"""Azure Blob Storage. `application_name` is the container, `account_key` a connection string."""

from tessera_core.provider import (
    PATH,
    PATH_HINT,
    Field,
    Guide,
    Provider,
    SnippetValue,
    Text,
    Translated,
)

ROLE = """\
{
  "Name": "Tessera key reader",
  "IsCustom": true,
  "Description": "Reads the access keys of storage accounts in one resource group, and nothing else.",
  "Actions": [
    "Microsoft.Storage/storageAccounts/read",
    "Microsoft.Storage/storageAccounts/listKeys/action"
  ],
  "NotActions": [],
  "DataActions": [],
  "NotDataActions": [],
  "AssignableScopes": [
    "/subscriptions/{subscription}/resourceGroups/{group}"
  ]
}"""

CORS_RULES = """\
Allowed origins: *
Allowed methods: GET
Allowed headers: *
Exposed headers:
Max age: 3600"""

PROVIDER = Provider(
    type=4,
    key="azure",
    name="Azure",
    position=2,
    search_words="azure microsoft blob container",
    link_hosts=(".blob.core.windows.net",),
    fields=(
        Field(
            "application_name",
            Text("Application Name", "Uygulama adı", "اسم التطبيق"),
            help=Text(
                "The name of the container, for example `tessera`.",
                "Kapsayıcının adı, örneğin `tessera`.",
                "اسم الحاوية، مثل `tessera`.",
            ),
            hint=Text(
                "The name of the Azure container.",
                "Azure kapsayıcısının (container) adı.",
                "اسم حاوية Azure \u200f(container).",
            ),
            pattern=r"[a-z0-9][a-z0-9-]{1,61}[a-z0-9]",
            without="--",
            problems={
                "container": Text(
                    "Use 3 to 63 lowercase letters, digits and single hyphens.",
                    "3 ile 63 arasında küçük harf, rakam ve tek kısa çizgi kullanın.",
                    "استخدم من 3 إلى 63 من الأحرف الصغيرة والأرقام والشرطات المفردة.",
                )
            },
        ),
        Field(
            "path",
            PATH,
            help=Text(
                "A folder in the container, for example `pieces`.",
                "Kapsayıcının içindeki bir klasör, örneğin `pieces`.",
                "مجلد داخل الحاوية، مثل `pieces`.",
            ),
            hint=PATH_HINT,
        ),
        Field(
            "account_key",
            Text("Connection String", "Bağlantı dizesi", "سلسلة الاتصال"),
            help=Text(
                "The whole line. It starts with `DefaultEndpointsProtocol=https`. Strings with a shared access signature or a custom endpoint are not accepted.",
                "Satırın tamamı. `DefaultEndpointsProtocol=https` ile başlar. Paylaşılan erişim imzası veya özel uç nokta içeren dizeler kabul edilmez.",
                "السطر كاملًا. يبدأ بـ `DefaultEndpointsProtocol=https`. لا تُقبل السلاسل التي تحتوي على توقيع وصول مشترك أو نقطة نهاية مخصصة.",
            ),
            hint=Text(
                "Starts with DefaultEndpointsProtocol=https;AccountName=",
                "DefaultEndpointsProtocol=https;AccountName= ile başlar",
                "تبدأ بـ \u2066DefaultEndpointsProtocol=https;AccountName=\u2069",
            ),
            secret=True,
            wide=True,
            problems={
                "connection_string": Text(
                    "Copy the connection string from Azure. It must contain AccountName and AccountKey, and only Azure endpoints.",
                    "Bağlantı dizesini Azure’dan kopyalayın. AccountName ve AccountKey içermeli, yalnızca Azure uç noktaları bulunmalıdır.",
                    "انسخ سلسلة الاتصال من Azure. يجب أن تحتوي على AccountName وAccountKey، وعلى نقاط نهاية Azure فقط.",
                )
            },
        ),
    ),
    console_name="Azure portal",
    console_url="https://portal.azure.com/",
    guide=Translated(
        en=Guide(
            steps=(
                "In the Azure portal, open **Storage accounts** and press **Create**. Use the account for Tessera only.",
                "On the **Advanced** tab, leave **Enable storage account key access** on and **Allow enabling anonymous access on individual containers** off. On the **Networking** tab, allow public access from all networks. Otherwise we cannot reach it.",
                "Open the account. Under **Data storage**, **Containers**, add a container, for example `tessera`. Leave its access level at **Private**.",
                "Under **Security + networking**, **Access keys**, press **Show** beside the **Connection string** of **key1** and copy the whole line.",
            ),
            snippet="Custom role",
            permissions="A connection string contains an account key, and an account key opens the whole storage account. No role can restrict it, so use a separate storage account. The role below is for the person who copies the key: it reads the keys of the storage accounts in one resource group, and nothing else.",
            notes=(
                "Save it as `role.json` and run `az role definition create --role-definition role.json`. Then assign it under **Access control (IAM)** of this storage account only.",
                "To rotate the key without downtime, enter the connection string of **key2** in the form, then press **Rotate key** for **key1**.",
            ),
        ),
        tr=Guide(
            steps=(
                "Azure portalında **Storage accounts** bölümünü açın ve **Create** düğmesine basın. Yalnızca Tessera için kullanılacak bir hesap oluşturun.",
                "**Advanced** sekmesinde **Enable storage account key access** ayarını açık, **Allow enabling anonymous access on individual containers** ayarını kapalı bırakın. **Networking** sekmesinde tüm ağlardan genel erişime izin verin; yoksa hesaba ulaşamayız.",
                "Hesabı açın. **Data storage**, **Containers** altında bir kapsayıcı ekleyin, örneğin `tessera`. Erişim düzeyi **Private** kalır.",
                "**Security + networking**, **Access keys** altında, **key1** anahtarının **Connection string** satırında **Show** düğmesine basın ve satırın tamamını kopyalayın.",
            ),
            snippet="Özel rol",
            permissions="Bağlantı dizesi bir hesap anahtarı içerir ve hesap anahtarı depolama hesabının tamamını açar. Bunu hiçbir rol daraltamaz; bu yüzden ayrı bir depolama hesabı kullanın. Aşağıdaki rol, anahtarı kopyalayan kişi içindir: Tek bir kaynak grubundaki depolama hesaplarının anahtarlarını okur, başka hiçbir şey yapamaz.",
            notes=(
                "Bunu `role.json` olarak kaydedin ve `az role definition create --role-definition role.json` komutunu çalıştırın; ardından rolü yalnızca bu depolama hesabının **Access control (IAM)** bölümünde atayın.",
                "Anahtarı kesintisiz yenilemek için forma **key2** bağlantı dizesini girin, ardından **key1** için **Rotate key** düğmesine basın.",
            ),
        ),
        ar=Guide(
            steps=(
                "في بوابة Azure افتح **Storage accounts** واضغط **Create**. أنشئ حسابًا مخصصًا لـ Tessera وحدها.",
                "في تبويب **Advanced** اترك **Enable storage account key access** مفعّلًا و**Allow enabling anonymous access on individual containers** معطّلًا. وفي تبويب **Networking** اسمح بالوصول العام من جميع الشبكات، وإلا فلن نتمكن من الوصول إليه.",
                "افتح الحساب. تحت **Data storage** ثم **Containers** أضف حاوية، مثل `tessera`. يبقى مستوى الوصول **Private**.",
                "تحت **Security + networking** ثم **Access keys** اضغط **Show** بجانب **Connection string** الخاصة بـ **key1** وانسخها كاملة.",
            ),
            snippet="دور مخصص",
            permissions="تحتوي سلسلة الاتصال على مفتاح حساب، ومفتاح الحساب يفتح حساب التخزين بأكمله. ولا يوجد دور يقيّده، لذا استخدم حساب تخزين منفصلًا. الدور أدناه للشخص الذي ينسخ المفتاح: يقرأ مفاتيح حسابات التخزين في مجموعة موارد واحدة، ولا شيء غير ذلك.",
            notes=(
                "احفظه باسم `role.json` ونفّذ `az role definition create --role-definition role.json`، ثم عيّنه تحت **Access control (IAM)** لحساب التخزين هذا وحده.",
                "لتدوير المفتاح دون انقطاع أدخل سلسلة اتصال **key2** في النموذج، ثم اضغط **Rotate key** لـ **key1**.",
            ),
        ),
    ),
    snippet=ROLE,
    browsers=Text(
        "Open the storage account, then **Resource sharing (CORS)** and **Blob service**. Add this rule and press **Save**.",
        "Depolama hesabını, ardından **Resource sharing (CORS)** ve **Blob service** bölümünü açın. Bu kuralı ekleyin ve **Save** düğmesine basın.",
        "افتح حساب التخزين ثم **Resource sharing (CORS)** ثم **Blob service**. أضف هذه القاعدة واضغط **Save**.",
    ),
    cors_rules=CORS_RULES,
    snippet_values=(
        SnippetValue(
            "subscription",
            Text("Subscription ID", "Abonelik kimliği", "معرّف الاشتراك"),
            "00000000-0000-0000-0000-000000000000",
        ),
        SnippetValue(
            "group", Text("Resource group", "Kaynak grubu", "مجموعة الموارد"), "your-resource-group"
        ),
    ),
    bucket_field="application_name",
)
