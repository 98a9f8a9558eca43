import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import { Term } from '@/components/Term'
import { AddressChanged } from '../AddressChanged'
import { post, type Schemas } from '../api'
import { usePageState } from '../client-state'
import { Failure } from '../Failure'
import { useCall } from '../use-call'
import { NO_WORDS, WordFields } from '../WordFields'
import { StartFrame } from './StartFrame'
import styles from './WaitingPage.module.css'

export default function WaitingPage() {
  const { t } = useTranslation('client')
  const { account } = usePageState()
  const { run, isPending } = useCall()
  const leader = account?.leader?.name ?? t('waiting.leader')
  return (
    <StartFrame step={3}>
      <div className={styles.columns}>
        <section>
          <h1 className={styles.title}>{t('waiting.title')}</h1>
          <p className={styles.lead}>
            <Term name="sixWords">{t('waiting.lead', { leader })}</Term>
          </p>
          <ol className={styles.words} aria-label={t('waiting.yourWords')}>
            {account?.words.map((word, index) => (
              <li key={index} className={styles.word}>
                <span className={styles.number}>{index + 1}</span>
                <bdi lang="en">{word}</bdi>
              </li>
            ))}
          </ol>
          <p className={styles.warning}>
            <strong>{t('waiting.differs')}</strong> {t('waiting.stop', { leader })}
          </p>
          <div className="t-card t-ends" role="status">
            <span>{t(account?.isLeaderTrusted ? 'waiting.forGrant' : 'waiting.forWords', { leader })}</span>
            <Button variant="outlined" pending={isPending} onClick={() => void run(() => post('/refresh'))}>
              {t('waiting.check')}
            </Button>
          </div>
        </section>
        <aside className="t-grid">
          {account?.isLeaderTrusted ? (
            <section className={`t-card ${styles.card}`}>
              <h2>{t('waiting.trustedTitle')}</h2>
              <p className="t-soft">{t('waiting.trustedText', { leader })}</p>
            </section>
          ) : (
            <TrustForm leader={account?.leader ?? null} />
          )}
          <section className={`t-card ${styles.card}`}>
            <h2>{t('waiting.whyTitle')}</h2>
            <p className="t-soft">{t('waiting.whyText')}</p>
            <Button variant="text" onClick={() => void run(() => post('/logout'))}>
              {t('unlock.logOut')}
            </Button>
          </section>
        </aside>
      </div>
    </StartFrame>
  )
}

function TrustForm({ leader: person }: { leader: Schemas['Leader'] | null }) {
  const { t } = useTranslation('client')
  const leader = person?.name ?? t('waiting.leader')
  const { run, isPending, error } = useCall()
  const [words, setWords] = useState(NO_WORDS)
  const isComplete = words.every((word) => word !== '')
  if (!person) {
    return (
      <section className={`t-card ${styles.card}`}>
        <h2>{t('trust.title', { leader })}</h2>
        <p className="t-soft">{t('trust.noKeys')}</p>
      </section>
    )
  }
  return (
    <form
      className={`t-card ${styles.card}`}
      onSubmit={(event) => {
        event.preventDefault()
        if (isComplete && !isPending) void run(() => post('/trust', { words: words.join(' ') }))
      }}
    >
      <h2>{t('trust.title', { leader })}</h2>
      <p className="t-soft">{t('trust.text', { leader })}</p>
      <AddressChanged person={person} />
      <WordFields label={t('trust.label')} value={words} onChange={setWords} invalid={Boolean(error)} />
      <Failure text={error?.text} />
      <Button type="submit" size="large" fullWidth pending={isPending} disabled={!isComplete}>
        {t('trust.submit')}
      </Button>
    </form>
  )
}
