"""Amazon S3."""

from tessera_core.provider import (
    BUCKET_NAME,
    BUCKET_PROBLEM,
    PATH,
    PATH_HINT,
    Field,
    Guide,
    Provider,
    SnippetValue,
    Text,
    Translated,
)

# Suggestions in the form; any other region can be entered too.
REGIONS = (
    *("us-east-1", "us-east-2", "us-west-1", "us-west-2", "us-gov-east-1", "us-gov-west-1"),
    *("ca-central-1", "ca-west-1", "mx-central-1", "sa-east-1", "eu-central-1", "eu-central-2"),
    *("eu-north-1", "eu-south-1", "eu-south-2", "eu-west-1", "eu-west-2", "eu-west-3"),
    *("il-central-1", "me-central-1", "me-south-1", "af-south-1", "ap-east-1", "ap-east-2"),
    *("ap-northeast-1", "ap-northeast-2", "ap-northeast-3", "ap-south-1", "ap-south-2"),
    *("ap-southeast-1", "ap-southeast-2", "ap-southeast-3", "ap-southeast-4", "ap-southeast-5"),
    *("ap-southeast-6", "ap-southeast-7", "cn-north-1", "cn-northwest-1"),
)

POLICY = """\
{
  "Version": "2012-10-17",
  "Statement": [
    {
      "Sid": "TesseraObjects",
      "Effect": "Allow",
      "Action": [
        "s3:GetObject",
        "s3:PutObject",
        "s3:DeleteObject"
      ],
      "Resource": "arn:aws:s3:::{bucket}/{path/}*"
    },
    {
      "Sid": "TesseraBucket",
      "Effect": "Allow",
      "Action": "s3:ListBucket",
      "Resource": "arn:aws:s3:::{bucket}"
    }
  ]
}"""

CORS_RULES = """\
[
  {
    "AllowedOrigins": ["*"],
    "AllowedMethods": ["GET"],
    "AllowedHeaders": ["*"],
    "MaxAgeSeconds": 3600
  }
]"""

PROVIDER = Provider(
    type=3,
    key="s3",
    name="AWS S3",
    position=1,
    search_words="aws amazon s3 bucket",
    link_hosts=(".amazonaws.com", ".amazonaws.com.cn"),
    fields=(
        Field(
            "bucket_name",
            BUCKET_NAME,
            help=Text(
                "The name of the bucket, without `s3://`.",
                "Yalnızca bucket’ın adı, `s3://` olmadan.",
                "اسم الحاوية وحده، من دون `s3://`.",
            ),
            pattern=r"[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]",
            without=r"\.\.|^[0-9.]+$",
            problems={"bucket": BUCKET_PROBLEM},
        ),
        Field(
            "region",
            Text("Region", "Bölge", "المنطقة"),
            help=Text(
                "The region code, for example `eu-central-1`. You find it under **Properties** of the bucket.",
                "Bölgenin kodu, örneğin `eu-central-1`. Bucket’ın **Properties** sekmesinde yazar.",
                "رمز المنطقة، مثل `eu-central-1`. تجده في تبويب **Properties** للحاوية.",
            ),
            pattern=r"[a-z]{2,3}(-[a-z]{2,12}){1,3}-[0-9]{1,2}",
            suggestions=REGIONS,
            problems={
                "region": Text(
                    "This is not a region. Example: us-east-1.",
                    "Bu bir bölge değil. Örnek: us-east-1.",
                    "هذه ليست منطقة. مثال: us-east-1.",
                )
            },
        ),
        Field(
            "account_key",
            Text("Account Key", "Hesap anahtarı", "مفتاح الحساب"),
            help=Text(
                "The **Access key ID**. It starts with `AKIA`.",
                "**Access key ID** değeri. `AKIA` ile başlar.",
                "قيمة **Access key ID**. تبدأ بـ `AKIA`.",
            ),
            hint=Text(
                "AWS calls this “Access key ID”.",
                "AWS’deki adı: “Access key ID”.",
                "اسمه في AWS: \u2066Access key ID\u2069",
            ),
            secret=True,
            pattern=r"[A-Za-z0-9]{16,128}",
            problems={
                "access_key": Text(
                    "This is not an AWS access key ID.",
                    "Bu bir AWS erişim anahtarı kimliği (Access key ID) değil.",
                    "هذا ليس معرّف مفتاح وصول في AWS \u200f(Access key ID).",
                )
            },
        ),
        Field(
            "secret",
            Text("Secret", "Gizli anahtar", "المفتاح السري"),
            help=Text(
                "The **Secret access key**.",
                "**Secret access key** değeri.",
                "قيمة **Secret access key**.",
            ),
            hint=Text(
                "AWS calls this “Secret access key”.",
                "AWS’deki adı: “Secret access key”.",
                "اسمه في AWS: \u2066Secret access key\u2069",
            ),
            secret=True,
            pattern=r"[A-Za-z0-9/+=]{16,128}",
            problems={
                "secret_key": Text(
                    "This is not an AWS secret access key.",
                    "Bu bir AWS gizli erişim anahtarı (Secret access key) değil.",
                    "هذا ليس مفتاح وصول سريًا في AWS \u200f(Secret access key).",
                )
            },
        ),
        Field(
            "path",
            PATH,
            help=Text(
                "A folder in the bucket, for example `tessera`. Use the same one as in the policy.",
                "Bucket’taki bir klasör, örneğin `tessera`. Politikadakiyle aynı olmalıdır.",
                "مجلد في الحاوية، مثل `tessera`. يجب أن يطابق المذكور في السياسة.",
            ),
            hint=PATH_HINT,
        ),
    ),
    console_name="AWS console",
    console_url="https://console.aws.amazon.com/s3/",
    guide=Translated(
        en=Guide(
            steps=(
                "In the S3 console, press **Create bucket**. Choose a region, enter a name, leave **Block all public access** on and create the bucket. Use it for Tessera only.",
                "Open **IAM**, then **Policies**, and press **Create policy**. Switch to **JSON**, paste the policy below and name it `tessera-warehouse`.",
                "Under **Users**, press **Create user**. Enter a name, do not grant console access, choose **Attach policies directly** and tick your policy.",
                "Open the new user, then **Security credentials**. Under **Access keys**, press **Create access key** and choose the use case **Application running outside AWS**.",
                "Copy the access key ID and the secret access key before you press **Done**: the secret is shown only once.",
            ),
            snippet="IAM policy",
            permissions="Reads, writes and deletes objects under one path of one bucket, and lists that bucket. It allows nothing else in your AWS account.",
            notes=(
                "Listing is allowed for the whole bucket because AWS otherwise answers “forbidden” for a missing file. Keep nothing else in this bucket.",
                "If the bucket is encrypted with a KMS key of your own, allow `kms:Decrypt` and `kms:GenerateDataKey` on that key as well.",
            ),
        ),
        tr=Guide(
            steps=(
                "S3 konsolunda **Create bucket** düğmesine basın. Bir bölge seçin, bir ad yazın, **Block all public access** ayarını açık bırakın ve oluşturun. Bu bucket’ı yalnızca Tessera için kullanın.",
                "**IAM**, ardından **Policies** bölümünü açın ve **Create policy** düğmesine basın. **JSON** görünümüne geçin, aşağıdaki politikayı yapıştırın ve adını `tessera-warehouse` koyun.",
                "**Users** altında **Create user** düğmesine basın. Bir ad verin, konsol erişimi vermeyin, **Attach policies directly** seçin ve politikanızı işaretleyin.",
                "Yeni kullanıcıyı, ardından **Security credentials** sekmesini açın; **Access keys** altında **Create access key** düğmesine basın. Kullanım amacı olarak **Application running outside AWS** seçin.",
                "**Done** düğmesine basmadan önce Access key ID ve Secret access key değerlerini kopyalayın: Gizli anahtar yalnızca bir kez gösterilir.",
            ),
            snippet="IAM politikası",
            permissions="Tek bir bucket’ın tek bir yolundaki nesneleri okur, yazar ve siler; o bucket’ı listeler. AWS hesabınızda başka hiçbir şeye izin vermez.",
            notes=(
                "Listeleme bucket’ın tamamı için açıktır; aksi hâlde AWS eksik bir dosya için de “yasak” yanıtı verir. Bu bucket’ta başka bir şey tutmayın.",
                "Bucket kendi KMS anahtarınızla şifreleniyorsa o anahtar üzerinde `kms:Decrypt` ve `kms:GenerateDataKey` izinlerini de verin.",
            ),
        ),
        ar=Guide(
            steps=(
                "في وحدة تحكم S3 اضغط **Create bucket**. اختر منطقة واكتب اسمًا، واترك **Block all public access** مفعّلًا، ثم أنشئ الحاوية. استخدمها لـ Tessera وحدها.",
                "افتح **IAM** ثم **Policies** واضغط **Create policy**. انتقل إلى **JSON**، وألصق السياسة أدناه، وسمّها `tessera-warehouse`.",
                "تحت **Users** اضغط **Create user**. أدخل اسمًا، ولا تمنحه وصولًا إلى وحدة التحكم، واختر **Attach policies directly** وحدّد سياستك.",
                "افتح المستخدم الجديد ثم **Security credentials**، وتحت **Access keys** اضغط **Create access key**. اختر **Application running outside AWS** كحالة استخدام.",
                "انسخ قيمتي Access key ID وSecret access key قبل الضغط على **Done**: يظهر المفتاح السري مرة واحدة فقط.",
            ),
            snippet="سياسة IAM",
            permissions="تقرأ الكائنات وتكتبها وتحذفها ضمن مسار واحد في حاوية واحدة، وتعرض قائمة تلك الحاوية. ولا تسمح بأي شيء آخر في حساب AWS.",
            notes=(
                "عرض القائمة مسموح للحاوية كلها، وإلا فإن AWS تجيب بـ «ممنوع» عن ملف غير موجود. لا تضع شيئًا آخر في هذه الحاوية.",
                "إذا كانت الحاوية مشفّرة بمفتاح KMS خاص بك فاسمح أيضًا بـ `kms:Decrypt` و`kms:GenerateDataKey` على ذلك المفتاح.",
            ),
        ),
    ),
    snippet=POLICY,
    browsers=Text(
        "Open the bucket, then **Permissions**. Under **Cross-origin resource sharing (CORS)** press **Edit** and paste these rules.",
        "Bucket’ı, ardından **Permissions** sekmesini açın. **Cross-origin resource sharing (CORS)** altında **Edit** düğmesine basın ve bu kuralları yapıştırın.",
        "افتح الحاوية ثم **Permissions**. تحت **Cross-origin resource sharing (CORS)** اضغط **Edit** وألصق هذه القواعد.",
    ),
    cors_rules=CORS_RULES,
    snippet_values=(
        SnippetValue("bucket", Text("Bucket", "Bucket", "الحاوية (Bucket)"), "your-bucket"),
        SnippetValue("path", Text("Path", "Yol", "المسار"), "tessera"),
    ),
    bucket_field="bucket_name",
)
