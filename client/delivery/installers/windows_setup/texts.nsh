!macro Text name english turkish arabic
  LangString ${name} ${LANG_ENGLISH} "${english}"
  LangString ${name} ${LANG_TURKISH} "${turkish}"
  LangString ${name} ${LANG_ARABIC} "${arabic}"
!macroend

!insertmacro Text WELCOME \
  "This installs Tessera ${VERSION} for you alone: the program tess, an entry in the Start menu that opens your files in the browser, and the service that keeps your folders up to date after login. Administrator rights are not needed." \
  "Tessera ${VERSION} yalnızca sizin için kurulur: tess programı, Başlat menüsünde dosyalarınızı tarayıcıda açan bir öğe ve oturum açtıktan sonra klasörlerinizi güncel tutan hizmet. Yönetici hakları gerekmez." \
  "سيُثبَّت Tessera ${VERSION} لحسابك وحده: البرنامج tess، وعنصر في قائمة «ابدأ» يفتح ملفاتك في المتصفح، والخدمة التي تُبقي مجلداتك محدّثة بعد تسجيل الدخول. لا حاجة إلى صلاحيات المسؤول."
!ifndef SIGN
  !insertmacro Text UNSIGNED \
    "$\r$\n$\r$\nThis installer is not signed. Continue only if its SHA-256 is the one on the download page." \
    "$\r$\n$\r$\nBu kurulum programı imzalı değildir. Yalnızca SHA-256 değeri indirme sayfasındakiyle aynıysa devam edin." \
    "$\r$\n$\r$\nبرنامج التثبيت هذا غير موقَّع. تابِع فقط إذا كانت قيمة SHA-256 مطابقة للقيمة المعروضة في صفحة التنزيل."
!endif
!insertmacro Text OPEN_PAGE \
  "Open Tessera" \
  "Tessera’yı aç" \
  "فتح Tessera"
!insertmacro Text NEEDS_64_BIT \
  "Tessera needs a 64-bit Windows." \
  "Tessera için 64 bit Windows gerekir." \
  "يحتاج Tessera إلى إصدار 64 بت من Windows."
!insertmacro Text IN_USE \
  "tess is still running. Close it and try again." \
  "tess hâlâ çalışıyor. Kapatıp yeniden deneyin." \
  "ما زال tess قيد التشغيل. أغلقه وحاول مرة أخرى."
!insertmacro Text NO_SERVICE \
  "The service could not be set up. To try again, run: tess service install" \
  "Hizmet kurulamadı. Yeniden denemek için şunu çalıştırın: tess service install" \
  "تعذّر إعداد الخدمة. للمحاولة مرة أخرى نفّذ: tess service install"
!insertmacro Text NO_PATH \
  "This folder could not be added to Path. Commands need the full path of tess.exe." \
  "Bu klasör Path değişkenine eklenemedi. Komutlarda tess.exe dosyasının tam yolu gerekir." \
  "تعذّرت إضافة هذا المجلد إلى Path. تحتاج الأوامر إلى المسار الكامل للملف tess.exe."
