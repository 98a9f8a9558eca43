import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import { Field } from '@/components/forms/Field'
import { Pair, Panel } from '@/components/forms/layout'
import { PasswordField } from '@/components/forms/PasswordField'
import { DownloadIcon } from '@/components/icons/DownloadIcon'
import { PrintIcon } from '@/components/icons/PrintIcon'
import { PageHeader } from '@/components/PageHeader'
import { PrintSheet } from '@/components/PrintSheet'
import { toast } from '@/components/toast'
import { saveFile } from '@/lib/save-file'
import styles from './page.module.css'
import { post, type Schemas } from './api'
import { usePageState } from './client-state'
import { Failure } from './Failure'
import { kitProblem } from './kit-problem'
import { useCall } from './use-call'
import { useVerified } from './use-verified'

type Kit = Schemas['KitInfo']

const WRONG_CODE = new Set(['code_malformed', 'recovery_not_opened'])

export default function KitPage() {
  const { t } = useTranslation('client')
  const [kit, setKit] = useState<Kit | null>(null)
  const [passphrase, setPassphrase] = useState('')
  const { run, isPending, error } = useCall()
  const { verified, dialog } = useVerified()
  const problem = kitProblem(usePageState().health)
  const make = () => void run(() => verified(async () => setKit(await post('/recovery-kit', { passphrase }))))
  const close = () => {
    setKit(null)
    setPassphrase('')
  }
  return (
    <div className={styles.page}>
      <PageHeader title={t('kit.title')} sub={t('kit.sub')} />
      {problem && !kit ? <Panel role="status">{t(`kit.problems.${problem}`)}</Panel> : null}
      {kit ? (
        <MadeKit kit={kit} passphrase={passphrase} onClose={close} />
      ) : (
        <section className={`t-card ${styles.fields}`}>
          <p className="t-soft">{t('kit.text')}</p>
          <PasswordField
            label={t('kit.passphrase')}
            value={passphrase}
            autoComplete="off"
            onChange={({ target }) => setPassphrase(target.value)}
          />
          <Failure text={error?.text} />
          <Button
            size="large"
            pending={isPending}
            disabledReason={passphrase.trim() ? null : t('kit.passphraseFirst')}
            onClick={make}
          >
            {t('kit.make')}
          </Button>
        </section>
      )}
      {problem === 'unconfirmed' && !kit ? <SheetCheck /> : null}
      {dialog}
    </div>
  )
}

/** Shows the code, and asks for two of its groups: somebody must have it before the kit counts. */
function MadeKit({ kit, passphrase, onClose }: { kit: Kit; passphrase: string; onClose: () => void }) {
  const { t } = useTranslation('client')
  const { run, isPending, error } = useCall()
  const groups = kit.code.split('-')
  const [asked] = useState(() => twoOf(groups.length))
  const [typed, setTyped] = useState<Record<number, string>>({})
  const isComplete = asked.every((at) => typed[at]?.trim())
  const code = groups.map((group, at) => (asked.includes(at) ? (typed[at] ?? '') : group)).join('-')
  return (
    <section className={`t-card ${styles.fields}`}>
      <h2>{t('kit.code')}</h2>
      <code dir="ltr">{kit.code}</code>
      <p className="t-soft">{t('kit.keep')}</p>
      <div className="t-line">
        <Button onClick={() => window.print()}>
          <PrintIcon />
          {t('kit.print')}
        </Button>
        <Button
          variant="outlined"
          onClick={() => saveFile(new Blob([kit.page], { type: 'text/html' }), 'kit-sheet.html')}
        >
          <DownloadIcon />
          {t('kit.save')}
        </Button>
      </div>
      <h2>{t('kit.readerTitle')}</h2>
      <p className="t-soft">{t('kit.readerText')}</p>
      <div className="t-line">
        <Button variant="outlined" onClick={() => void run(saveReader)}>
          <DownloadIcon />
          {t('kit.saveReader')}
        </Button>
      </div>
      <KitSheet text={kit.text} />
      <h2>{t('kit.confirmTitle')}</h2>
      <p className="t-soft">{t('kit.confirmText')}</p>
      <Pair>
        {asked.map((at) => (
          <Field
            key={at}
            label={t('kit.group', { number: at + 1 })}
            dir="ltr"
            value={typed[at] ?? ''}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            onChange={({ target }) => setTyped({ ...typed, [at]: target.value })}
          />
        ))}
      </Pair>
      <Failure text={error && WRONG_CODE.has(error.code) ? t('kit.groupsDiffer') : error?.text} />
      <div className="t-line">
        <Button
          pending={isPending}
          disabledReason={isComplete ? null : t('kit.groupsFirst')}
          onClick={() =>
            void run(async () => {
              await post('/recovery-kit/confirmation', { passphrase, code })
              toast.success(t('kit.confirmed'))
              onClose()
            })
          }
        >
          {t('kit.confirm')}
        </Button>
        <Button variant="text" disabled={isPending} onClick={onClose}>
          {t('kit.later')}
        </Button>
      </div>
    </section>
  )
}

/** The reader as this computer's client has it; the sheet has its hash. */
async function saveReader(): Promise<void> {
  const answer = await fetch('/kit.html')
  if (!answer.ok) throw new Error(`kit.html: ${answer.status}`)
  saveFile(await answer.blob(), 'kit.html')
}

/** Opens the stored kit with what stands on the printed sheet. */
function SheetCheck() {
  const { t } = useTranslation('client')
  const { run, isPending, error } = useCall()
  const [passphrase, setPassphrase] = useState('')
  const [code, setCode] = useState('')
  return (
    <section className={`t-card ${styles.fields}`}>
      <h2>{t('kit.checkTitle')}</h2>
      <p className="t-soft">{t('kit.checkText')}</p>
      <PasswordField
        label={t('kit.checkPassphrase')}
        value={passphrase}
        autoComplete="off"
        onChange={({ target }) => setPassphrase(target.value)}
      />
      <PasswordField
        label={t('kit.code')}
        value={code}
        autoComplete="off"
        onChange={({ target }) => setCode(target.value)}
      />
      <Failure text={error?.text} />
      <Button
        variant="outlined"
        pending={isPending}
        disabledReason={passphrase.trim() && code.trim() ? null : t('kit.sheetFirst')}
        onClick={() =>
          void run(async () => {
            await post('/recovery-kit/confirmation', { passphrase, code })
            toast.success(t('kit.confirmed'))
          })
        }
      >
        {t('kit.check')}
      </Button>
    </section>
  )
}

/** Two different positions, in order. */
function twoOf(count: number): number[] {
  const order = Array.from({ length: count }, (_, at) => ({
    at,
    by: crypto.getRandomValues(new Uint32Array(1))[0] ?? 0,
  }))
  const chosen = order.toSorted((one, other) => one.by - other.by).slice(0, 2)
  return chosen.map(({ at }) => at).toSorted((one, other) => one - other)
}

/** The first line is the title. */
function KitSheet({ text }: { text: string }) {
  const [title = '', ...lines] = text.split('\n')
  return (
    <PrintSheet title={title}>
      <pre dir="auto">{lines.join('\n').trim()}</pre>
    </PrintSheet>
  )
}
