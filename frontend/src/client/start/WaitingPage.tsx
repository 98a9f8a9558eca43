import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import { post } from '../api'
import { usePageState } from '../client-state'
import pageStyles from '../page.module.css'
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
          <p className={styles.lead}>{t('waiting.lead', { leader })}</p>
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
          <div className={styles.status} role="status">
            <span>{t(account?.isLeaderTrusted ? 'waiting.forGrant' : 'waiting.forWords', { leader })}</span>
            <Button variant="outlined" pending={isPending} onClick={() => void run(() => post('/refresh'))}>
              {t('waiting.check')}
            </Button>
          </div>
        </section>
        <aside className={styles.side}>
          {account?.isLeaderTrusted ? (
            <section className={styles.card}>
              <h2 className={styles.heading}>{t('waiting.trustedTitle')}</h2>
              <p className={pageStyles.text}>{t('waiting.trustedText', { leader })}</p>
            </section>
          ) : (
            <TrustForm leader={leader} hasLeader={Boolean(account?.leader)} />
          )}
          <section className={styles.card}>
            <h2 className={styles.heading}>{t('waiting.whyTitle')}</h2>
            <p className={pageStyles.text}>{t('waiting.whyText')}</p>
            <Button variant="text" onClick={() => void run(() => post('/logout'))}>
              {t('unlock.logOut')}
            </Button>
          </section>
        </aside>
      </div>
    </StartFrame>
  )
}

function TrustForm({ leader, hasLeader }: { leader: string; hasLeader: boolean }) {
  const { t } = useTranslation('client')
  const { run, isPending, error } = useCall()
  const [words, setWords] = useState(NO_WORDS)
  const isComplete = words.every((word) => word !== '')
  if (!hasLeader) {
    return (
      <section className={styles.card}>
        <h2 className={styles.heading}>{t('trust.title', { leader })}</h2>
        <p className={pageStyles.text}>{t('trust.noKeys')}</p>
      </section>
    )
  }
  return (
    <form
      className={styles.card}
      onSubmit={(event) => {
        event.preventDefault()
        if (isComplete && !isPending) void run(() => post('/trust', { words: words.join(' ') }))
      }}
    >
      <h2 className={styles.heading}>{t('trust.title', { leader })}</h2>
      <p className={pageStyles.text}>{t('trust.text', { leader })}</p>
      <WordFields label={t('trust.label')} value={words} onChange={setWords} invalid={Boolean(error)} />
      {error ? (
        <p role="alert" className={pageStyles.error}>
          {error.text}
        </p>
      ) : null}
      <Button type="submit" size="large" fullWidth pending={isPending} disabled={!isComplete}>
        {t('trust.submit')}
      </Button>
    </form>
  )
}
