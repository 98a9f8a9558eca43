"""Google Cloud Storage, with a service account key."""

from tessera_core.provider import (
    BUCKET_NAME,
    BUCKET_PROBLEM,
    PATH,
    Field,
    Guide,
    KeyFile,
    Provider,
    SnippetValue,
    Text,
    Translated,
)

COMMANDS = r'''gcloud iam roles create tesseraWarehouse --project={project} \
  --title="Tessera warehouse" \
  --permissions=storage.objects.create,storage.objects.delete,storage.objects.get,storage.objects.list

gcloud storage buckets add-iam-policy-binding gs://{bucket} \
  --member="serviceAccount:tessera-warehouse@{project}.iam.gserviceaccount.com" \
  --condition='title=tessera-path,expression=resource.type == "storage.googleapis.com/Bucket" || resource.name.startsWith("projects/_/buckets/{bucket}/objects/{path}/")' \
  --role="projects/{project}/roles/tesseraWarehouse"'''

CORS_RULES = """\
[
  {
    "origin": ["*"],
    "method": ["GET"],
    "responseHeader": ["*"],
    "maxAgeSeconds": 3600
  }
]"""

PROVIDER = Provider(
    type=5,
    key="google",
    name="Google Cloud",
    position=3,
    search_words="google cloud gcs gcp bucket",
    link_hosts=(
        "storage.googleapis.com",
        ".storage.googleapis.com",
    ),
    fields=(
        Field(
            "bucket_name",
            BUCKET_NAME,
            help=Text(
                "The name of the bucket, without `gs://`.",
                "Yalnızca bucket’ın adı, `gs://` olmadan.",
                "اسم الحاوية وحده، من دون `gs://`.",
            ),
            pattern=r"[a-z0-9][a-z0-9._-]{1,220}[a-z0-9]",
            without=r"\.\.|^[0-9.]+$",
            problems={"bucket": BUCKET_PROBLEM},
        ),
        Field(
            "path",
            PATH,
            help=Text(
                "Optional. A folder in the bucket, for example `tessera`. Use the same one as in the commands.",
                "İsteğe bağlı. Bucket’taki bir klasör, örneğin `tessera`. Komutlardakiyle aynı olmalıdır.",
                "اختياري. مجلد في الحاوية، مثل `tessera`. يجب أن يطابق المذكور في الأوامر.",
            ),
            hint=Text(
                "Optional. Leave empty to use the root of the bucket.",
                "İsteğe bağlı. Bucket’ın kök dizinini kullanmak için boş bırakın.",
                "اختياري. اتركه فارغًا لاستخدام جذر الحاوية.",
            ),
            required=False,
        ),
        Field(
            "project_id",
            Text("Project Id", "Proje kimliği", "معرّف المشروع"),
            help=Text("`project_id`.", "`project_id`.", "القيمة `project_id`."),
            pattern=r"([a-z0-9.-]{1,80}:)?[a-z][a-z0-9-]{4,28}[a-z0-9]",
            key_file_name="project_id",
            problems={
                "project_id": Text(
                    "This is not a project id: lower-case letters, digits and hyphens, 6 to 30 characters.",
                    "Bu bir proje kimliği değil: küçük harf, rakam ve kısa çizgiden oluşan 6 ile 30 arası karakter.",
                    "هذا ليس معرّف مشروع: أحرف صغيرة وأرقام وشرطات، من 6 إلى 30 حرفًا.",
                )
            },
        ),
        Field(
            "client_email",
            Text("Client Email", "İstemci e-postası", "بريد العميل"),
            help=Text(
                "`client_email` from the file. It ends in `.iam.gserviceaccount.com`.",
                "Dosyadaki `client_email`; `.iam.gserviceaccount.com` ile biter.",
                "القيمة `client_email` في الملف؛ تنتهي بـ `.iam.gserviceaccount.com`.",
            ),
            pattern=r"[a-z0-9][a-z0-9-]{0,62}@[a-z0-9][a-z0-9.-]{0,80}\.iam\.gserviceaccount\.com",
            without=r"\.\.",
            key_file_name="client_email",
            problems={
                "client_email": Text(
                    "Enter a service account. Its email ends in iam.gserviceaccount.com.",
                    "Bir hizmet hesabı girin. E-postası iam.gserviceaccount.com ile biter.",
                    "أدخل حساب خدمة. ينتهي بريده بـ iam.gserviceaccount.com.",
                )
            },
        ),
        Field(
            "client_id",
            Text("Client Id", "İstemci kimliği", "معرّف العميل"),
            help=Text(
                "`client_id`, a long number.",
                "`client_id`, uzun bir sayı.",
                "القيمة `client_id`، وهي رقم طويل.",
            ),
            pattern=r"[0-9]{5,40}",
            key_file_name="client_id",
            problems={
                "client_id": Text(
                    "The client id consists of digits.",
                    "İstemci kimliği yalnızca rakamlardan oluşur.",
                    "يتكون معرّف العميل من أرقام فقط.",
                )
            },
        ),
        Field(
            "private_key_id",
            Text("Private Key Id", "Özel anahtar kimliği", "معرّف المفتاح الخاص"),
            help=Text("`private_key_id`.", "`private_key_id`.", "القيمة `private_key_id`."),
            pattern=r"[0-9a-f]{8,64}",
            key_file_name="private_key_id",
            problems={
                "private_key_id": Text(
                    "This is not a private key id: digits and the letters a to f.",
                    "Bu bir özel anahtar kimliği değil: rakamlar ve a ile f arası harfler.",
                    "هذا ليس معرّف مفتاح خاص: أرقام وأحرف من a إلى f.",
                )
            },
        ),
        Field(
            "private_key",
            Text("Private Key", "Özel anahtar", "المفتاح الخاص"),
            help=Text(
                "`private_key`, from `-----BEGIN PRIVATE KEY-----` to `-----END PRIVATE KEY-----`.",
                "`private_key`; `-----BEGIN PRIVATE KEY-----` satırından `-----END PRIVATE KEY-----` satırına kadar.",
                "القيمة `private_key`، من `-----BEGIN PRIVATE KEY-----` إلى `-----END PRIVATE KEY-----`.",
            ),
            secret=True,
            multi_line=True,
            wide=True,
            key_file_name="private_key",
            problems={
                "private_key": Text(
                    "Copy the whole private key, from BEGIN to END.",
                    "Özel anahtarın tamamını BEGIN’den END’e kadar kopyalayın.",
                    "انسخ المفتاح الخاص كاملًا من BEGIN إلى END.",
                ),
                "private_key_size": Text(
                    "Use an RSA key of 2048 to 4096 bits.",
                    "2048 ile 4096 bit arasında bir RSA anahtarı kullanın.",
                    "استخدم مفتاح RSA طوله بين 2048 و4096 بت.",
                ),
            },
        ),
        Field(
            "cert",
            Text("Client Cert URL", "İstemci sertifikası URL’si", "رابط شهادة العميل"),
            help=Text(
                "`client_x509_cert_url`. It starts with `https://www.googleapis.com/robot/v1/metadata/x509/`.",
                "`client_x509_cert_url`; `https://www.googleapis.com/robot/v1/metadata/x509/` ile başlar.",
                "القيمة `client_x509_cert_url`؛ تبدأ بـ `https://www.googleapis.com/robot/v1/metadata/x509/`.",
            ),
            wide=True,
            pattern=r"https://www\.googleapis\.com/robot/v1/metadata/x509/[A-Za-z0-9%._@-]{1,300}",
            key_file_name="client_x509_cert_url",
            problems={
                "cert": Text(
                    "Copy client_x509_cert_url from the key file. It starts with https://www.googleapis.com/robot/.",
                    "Anahtar dosyasındaki client_x509_cert_url değerini kopyalayın. https://www.googleapis.com/robot/ ile başlar.",
                    "انسخ client_x509_cert_url من ملف المفتاح. يبدأ بـ https://www.googleapis.com/robot/.",
                )
            },
        ),
    ),
    console_name="Google Cloud console",
    console_url="https://console.cloud.google.com/storage/browser",
    guide=Translated(
        en=Guide(
            steps=(
                "In the Google Cloud console, choose a project or create one. Under **Cloud Storage**, **Buckets**, press **Create**. Leave **Enforce public access prevention** on and access control **Uniform**. Use the bucket for Tessera only.",
                "Under **IAM & Admin**, **Service Accounts**, press **Create service account** and name it `tessera-warehouse`. Do not grant it a role there. Press **Done**.",
                "Open **Cloud Shell** and run the commands below. They create a role with four permissions and grant it on this bucket only.",
                "Open the service account, then **Keys**, **Add key**, **Create new key**, **JSON**. A file is saved to your computer.",
                "Open the file in a text editor, copy all of it and paste it into “Service account JSON” in the form to fill in the fields. Then delete the file: it contains the private key.",
            ),
            snippet="Commands for Cloud Shell",
            permissions="Creates, reads, deletes and lists objects in one bucket. With a path, the condition limits it to that path. It allows nothing else in your project.",
            notes=(
                "If Google does not let you create a key, your organization blocks it with the policy `iam.disableServiceAccountKeyCreation`. An organization administrator can lift it for this project.",
            ),
        ),
        tr=Guide(
            steps=(
                "Google Cloud konsolunda bir proje seçin ya da yeni bir proje oluşturun. **Cloud Storage**, **Buckets** altında **Create** düğmesine basın. **Enforce public access prevention** açık, erişim denetimi **Uniform** kalsın. Bu bucket’ı yalnızca Tessera için kullanın.",
                "**IAM & Admin**, **Service Accounts** altında **Create service account** düğmesine basın ve adını `tessera-warehouse` koyun. Orada rol vermeyin; **Done** düğmesine basın.",
                "**Cloud Shell** açın ve aşağıdaki komutları çalıştırın. Komutlar dört izinlik bir rol oluşturur ve bu rolü yalnızca bu bucket üzerinde verir.",
                "Hizmet hesabını, ardından **Keys**, **Add key**, **Create new key**, **JSON** öğelerini açın. Bilgisayarınıza bir dosya kaydedilir.",
                "Dosyayı bir metin düzenleyicide açın, tamamını kopyalayın ve alanları doldurmak için formdaki “Hizmet hesabı JSON dosyası” alanına yapıştırın. Sonra dosyayı silin: Özel anahtarı içerir.",
            ),
            snippet="Cloud Shell komutları",
            permissions="Tek bir bucket’taki nesneleri oluşturur, okur, siler ve listeler. Yol verilirse koşul, izni o yolla sınırlar. Projenizde başka hiçbir şeye izin vermez.",
            notes=(
                "Google anahtar oluşturmanıza izin vermiyorsa kuruluşunuz bunu `iam.disableServiceAccountKeyCreation` politikasıyla engelliyordur. Kuruluş yöneticisi bu kuralı bu proje için kaldırabilir.",
            ),
        ),
        ar=Guide(
            steps=(
                "في وحدة تحكم Google Cloud اختر مشروعًا أو أنشئ مشروعًا جديدًا. تحت **Cloud Storage** ثم **Buckets** اضغط **Create**. اترك **Enforce public access prevention** مفعّلًا والتحكم في الوصول **Uniform**. استخدم الحاوية لـ Tessera وحدها.",
                "تحت **IAM & Admin** ثم **Service Accounts** اضغط **Create service account** وسمّه `tessera-warehouse`. لا تمنحه أي دور هناك، واضغط **Done**.",
                "افتح **Cloud Shell** ونفّذ الأوامر أدناه. تنشئ الأوامر دورًا من أربع صلاحيات وتمنحه على هذه الحاوية فقط.",
                "افتح حساب الخدمة ثم **Keys** ثم **Add key** ثم **Create new key** ثم **JSON**. يُحفظ ملف على جهازك.",
                "افتح الملف بمحرر نصوص وانسخه كاملًا وألصقه في حقل «ملف JSON لحساب الخدمة» في النموذج لملء الحقول. ثم احذف الملف: فهو يحتوي على المفتاح الخاص.",
            ),
            snippet="أوامر Cloud Shell",
            permissions="ينشئ الكائنات ويقرؤها ويحذفها ويعرض قائمتها في حاوية واحدة. وإذا ذُكر مسار فإن الشرط يحصر الصلاحية فيه. ولا يسمح بأي شيء آخر في مشروعك.",
            notes=(
                "إذا لم تسمح لك Google بإنشاء مفتاح فإن مؤسستك تمنع ذلك بالسياسة `iam.disableServiceAccountKeyCreation`. يمكن لمسؤول المؤسسة رفعها عن هذا المشروع.",
            ),
        ),
    ),
    snippet=COMMANDS,
    browsers=Text(
        "Save these rules as `cors.json` and run `gcloud storage buckets update gs://your-bucket --cors-file=cors.json`.",
        "Bu kuralları `cors.json` olarak kaydedin ve `gcloud storage buckets update gs://your-bucket --cors-file=cors.json` komutunu çalıştırın.",
        "احفظ هذه القواعد باسم `cors.json` ونفّذ `gcloud storage buckets update gs://your-bucket --cors-file=cors.json`.",
    ),
    cors_rules=CORS_RULES,
    snippet_values=(
        SnippetValue(
            "project", Text("Project ID", "Proje kimliği", "معرّف المشروع"), "your-project"
        ),
        SnippetValue("bucket", Text("Bucket", "Bucket", "الحاوية (Bucket)"), "your-bucket"),
        SnippetValue("path", Text("Path", "Yol", "المسار"), "tessera"),
    ),
    bucket_field="bucket_name",
    key_file=KeyFile(
        Text(
            "Service account JSON (optional)",
            "Hizmet hesabı JSON dosyası (isteğe bağlı)",
            "ملف JSON لحساب الخدمة (اختياري)",
        ),
        hint=Text(
            "Paste the key file from Google to fill in the fields below.",
            "Aşağıdaki alanları doldurmak için Google’dan aldığınız anahtar dosyasını yapıştırın.",
            "ألصق ملف المفتاح الذي حصلت عليه من Google لملء الحقول أدناه.",
        ),
        unreadable=Text(
            "This is not a service account key file.",
            "Bu bir hizmet hesabı anahtar dosyası değil.",
            "هذا ليس ملف مفتاح حساب خدمة.",
        ),
        placeholder='{ "type": "service_account", … }',
    ),
)
