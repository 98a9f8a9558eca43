/*
 * Bases that people build long passwords from. A password is common when its letters are one of
 * them, or two side by side: over 900 bases stand for nearly a million passwords, whatever digits
 * and signs are strewn around them. Loaded only where a password is chosen.
 */
const bases = new Set(
  `
  password passwort pass word passcode passphrase parola sifre sifrem motdepasse contrasena senha
  welcome hello hallo merhaba selam marhaba ahlan goodbye letmein login logon signin signup access
  admin administrator root superuser user username guest test testing tester demo temp temporary
  default change changeme changeit changethis secret secure security private public master manager
  system server service support office company account email mail internet network computer laptop
  desktop windows microsoft google apple android iphone samsung nokia sony lenovo toshiba dell
  facebook instagram twitter youtube linkedin whatsapp telegram amazon netflix spotify github
  dropbox azure oracle cisco linux ubuntu debian docker python java javascript database backup
  cloud storage warehouse vault console tessera trustno trust nothing anything something whatever
  qwerty qwertz azerty qwertyuiop qwert asdf asdfg asdfgh asdfghjkl zxcv zxcvb zxcvbn zxcvbnm qaz
  wsx edc qazwsx qazwsxedc qwe asd zxc qweasd qweasdzxc poiuy poiuytrewq lkjhgfdsa mnbvcxz abc abcd
  abcde abcdef abcdefg abcdefgh xyz aaa bbb xxx zzz alpha beta gamma delta omega
  love loves lover lovely loveyou iloveyou iloveu ilove you me my mine your yours baby babe babygirl
  babyboy honey sweet sweetie sweetheart darling dear angel angels heart hearts kiss kisses hug
  forever always never together friend friends bestfriend family mother father mommy daddy mama papa
  mom dad sister brother son daughter wife husband girl girls boy boys girlfriend boyfriend princess
  prince queen king kings lady lord lucky happy happiness smile sunshine rainbow butterfly flower
  flowers rose roses lily daisy jasmine cherry peach apple banana orange lemon strawberry chocolate
  cookie cookies candy sugar coffee pizza cheese chicken butter ginger pepper
  summer winter spring autumn fall season january february march april may june july august september
  october november december monday tuesday wednesday thursday friday saturday sunday today tomorrow
  yesterday morning evening night midnight sunrise sunset holiday birthday christmas easter ramadan
  monkey dragon tiger lion eagle falcon hawk wolf wolves bear bears panda shark dolphin dolphins horse
  horses pony kitty kitten cat cats dog dogs puppy doggy bunny rabbit turtle spider scorpion snake
  cobra phoenix unicorn dinosaur chicken duck elephant bird birds fish
  football soccer baseball basketball hockey tennis golf boxing wrestling swimming skating fitness
  yankees lakers cowboys steelers eagles packers raiders giants patriots broncos chelsea arsenal
  liverpool manchester united barcelona realmadrid madrid juventus milan inter bayern dortmund ajax
  benfica porto celtic rangers everton tottenham galatasaray fenerbahce besiktas trabzonspor
  cimbom kartal kanarya aslan alahly zamalek hilal alhilal alnassr ittihad
  superman batman spiderman ironman hulk thor avengers marvel starwars jedi skywalker yoda vader
  matrix gandalf frodo hobbit potter harrypotter hogwarts pokemon pikachu naruto sasuke goku
  dragonball mario luigi zelda sonic minecraft fortnite roblox warcraft starcraft halo counter strike
  counterstrike game gamer games player gaming xbox playstation nintendo joker ninja samurai pirate
  pirates wizard magic magical merlin hunter killer warrior knight soldier ranger hacker legend
  hero heroes champion winner number one first last
  michael michelle jennifer jessica ashley amanda daniel david robert william james john joseph
  thomas charles christopher christian matthew anthony andrew joshua justin jordan brandon tyler
  nicole samantha elizabeth victoria stephanie melissa rebecca rachel sarah laura emily emma olivia
  sophia isabella hannah anna maria marie martin peter paul mark george edward richard kevin brian
  jason eric adam alex alexander alexandra benjamin samuel nathan patrick oliver oscar max maximus
  charlie harley bailey buddy rocky lucky molly maggie sophie chloe lola bella luna simba shadow
  mustafa mehmet ahmet ali veli hasan huseyin ibrahim ismail osman omer yusuf kemal ataturk murat
  emre burak fatih serkan hakan volkan deniz elif zeynep fatma ayse emine hatice merve busra esra
  selin melek canan sevgi askim canim bebegim sevgilim seviyorum seni benim annem babam kardesim
  hayat hayatim gunes yildiz turkiye turkey istanbul ankara izmir bursa antalya adana konya
  muhammad mohammed mohamed mohammad ahmed mahmoud mustapha hassan hussein abdullah abdallah omar
  khaled khalid youssef yousef saad salman faisal fahad sultan nasser fatima aisha mariam maryam
  noor nour layla leila yasmin habibi habibti allah bismillah alhamdulillah mashallah inshallah
  islam muslim quran makkah madina riyadh jeddah cairo egypt dubai saudi arabia syria lebanon jordan
  palestine morocco algeria tunisia iraq kuwait qatar
  jesus christ god godisgood blessed blessing faith hope grace church bible heaven
  america american england english london paris france french germany german berlin italy rome spain
  europe canada mexico brazil argentina india china japan korea russia australia africa california
  texas florida newyork chicago boston dallas houston denver seattle miami vegas
  money dollar cash gold golden silver diamond diamonds platinum rich million millionaire business
  bitcoin crypto bank banking credit card work working worker boss team leader member school college
  university student teacher class doctor nurse police fire water earth wind storm thunder lightning
  ocean river mountain forest garden sky star stars moon sun space galaxy rocket planet world universe
  red blue green yellow purple pink black white brown grey silver orange blackjack poker casino
  ferrari porsche mercedes bmw audi toyota honda nissan mustang corvette camaro chevy ford jeep harley
  davidson yamaha ducati motor racing turbo speed fast furious
  music guitar piano drums rock rockstar metal metallica nirvana slipknot eminem rap hiphop dance
  dancer singer beatles elvis rihanna beyonce justinbieber bieber onedirection bts army blink
  freedom liberty peace victory power energy force strong strength life live living dream dreams
  dreamer believe beautiful pretty cute sexy hot cool awesome amazing perfect great super mega ultra
  crazy stupid idiot funny weird silly fuck fucku fuckyou fuckoff shit bitch asshole damn pussy
  please thanks thankyou sorry open sesame opensesame door key keys house home garage street
  correct right wrong true false yes no maybe the and for this that is it new old good bad best big
  little small long short red
  كلمة السر كلمةالسر كلمة المرور مرحبا اهلا السلام عليكم محمد احمد علي حسن حسين فاطمة مريم نور حبيبي
  حبيبتي الله بسم الحمدلله مصر السعودية القاهرة الرياض
  şifre şifrem aşkım canım güneş yıldız türkiye beşiktaş fenerbahçe
  `
    .trim()
    .split(/\s+/),
)

/** Whether these letters, in lower case and without anything else, are too well known. */
export function isCommon(letters: string): boolean {
  if (bases.has(letters)) return true
  for (let cut = 1; cut < letters.length; cut += 1) {
    if (bases.has(letters.slice(0, cut)) && bases.has(letters.slice(cut))) return true
  }
  return false
}
