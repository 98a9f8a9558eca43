import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import { EmptyState } from '@/components/EmptyState'
import { ErrorState } from '@/components/ErrorState'
import { SelectField } from '@/components/forms/Field'
import { Lead } from '@/components/forms/layout'
import { PageHeader } from '@/components/PageHeader'
import { Term } from '@/components/Term'
import { toast } from '@/components/toast'
import { visible } from '@/lib/visible'
import { SpaceDialog } from '../files/FirstSpace'
import { FormDialog } from '../FormDialog'
import styles from '../page.module.css'
import { AddressChanged } from '../AddressChanged'
import { get, post, type Schemas } from '../api'
import { usePageState } from '../client-state'
import { Failure } from '../Failure'
import { useCall, useErrorText } from '../use-call'
import { useVerified } from '../use-verified'
import { NO_WORDS, WordFields } from '../WordFields'
import { Name } from '../Name'

export default function TeamPage() {
  const { t } = useTranslation('client')
  const textOf = useErrorText()
  const { spaces, account } = usePageState()
  const [granting, setGranting] = useState<Schemas['TeamMember'] | null>(null)
  const [isCreating, setCreating] = useState(false)
  const { run, isPending, error: failure } = useCall()
  const { verified, dialog } = useVerified()
  const key = ['team', spaces.map((space) => space.revision).join()]
  const { data, error, refetch } = useQuery({ queryKey: key, queryFn: () => get('/team') })
  const names = new Map(spaces.map((space) => [space.id, space.name]))
  return (
    <div className={styles.page}>
      <PageHeader
        title={t('team.title')}
        sub={t('team.sub')}
        actions={<Button onClick={() => setCreating(true)}>{t('space.create')}</Button>}
      />
      <section className="t-card">
        <div className="t-line">
          <h2>{t('waiting.yourWords')}</h2>
          <Term name="sixWords" />
        </div>
        <p className="t-soft">
          <bdi lang="en">{account?.words.join(' ')}</bdi>
        </p>
      </section>
      <Failure text={failure?.text} />
      {error ? <ErrorState text={textOf(error)} onRetry={() => void refetch()} /> : null}
      {data && data.length <= 1 ? <EmptyState title={t('team.emptyTitle')} text={t('team.emptyText')} /> : null}
      {data && data.length > 1 ? (
        <ul className="t-list">
          {data.map((person) => (
            <li key={person.email} className="t-ends">
              <span className={styles.main}>
                <strong>
                  <Name>{person.name}</Name> {person.isYou ? t('team.you') : ''}
                </strong>
                <span className="t-soft">
                  <Name dir="ltr">{person.email}</Name>
                </span>
                <span className="t-soft">
                  {person.spaces.length === 0
                    ? t('team.waits')
                    : person.spaces.map((space) => names.get(space) ?? '').join(', ')}
                </span>
              </span>
              {person.isYou ? null : (
                <span className="t-line">
                  {person.spaces.map((space) => (
                    <Button
                      key={space}
                      variant="text"
                      disabled={isPending}
                      onClick={() =>
                        void run(() =>
                          verified(async () => {
                            await post('/revoke', { space, email: person.email })
                            toast.success(t('team.revoked', { name: person.name }))
                          }),
                        )
                      }
                    >
                      {t('team.revoke', { space: names.get(space) })}
                    </Button>
                  ))}
                  {person.isActive && person.spaces.length < spaces.length ? (
                    <Button variant="outlined" onClick={() => setGranting(person)}>
                      {t('team.grant')}
                    </Button>
                  ) : null}
                </span>
              )}
            </li>
          ))}
        </ul>
      ) : null}
      {granting ? <GrantDialog person={granting} onClose={() => setGranting(null)} /> : null}
      {isCreating ? <SpaceDialog onClose={() => setCreating(false)} /> : null}
      {dialog}
    </div>
  )
}

function GrantDialog({ person, onClose }: { person: Schemas['TeamMember']; onClose: () => void }) {
  const { t } = useTranslation('client')
  const { spaces } = usePageState()
  const open = spaces.filter((space) => !person.spaces.includes(space.id))
  const [space, setSpace] = useState(open[0]?.id ?? '')
  const [words, setWords] = useState(NO_WORDS)
  const { verified, dialog } = useVerified()
  return (
    <>
      <FormDialog
        title={t('team.grantTitle', { name: person.name })}
        submit={t('team.grant')}
        disabled={words.includes('')}
        onClose={onClose}
        onSubmit={() =>
          verified(async () => {
            await post('/grant', { space, email: person.email, words: words.join(' ') })
            toast.success(t('team.granted', { name: person.name }))
            onClose()
          })
        }
      >
        {(errorCode) => (
          <>
            <Lead>
              <Term name="sixWords">{t('team.grantText', { name: person.name })}</Term>
            </Lead>
            <AddressChanged person={person} />
            <SelectField label={t('files.space')} value={space} onChange={({ target }) => setSpace(target.value)}>
              {open.map((each) => (
                <option key={each.id} value={each.id}>
                  {visible(each.name)}
                </option>
              ))}
            </SelectField>
            <WordFields
              label={t('team.wordsOf', { name: person.name })}
              value={words}
              onChange={setWords}
              invalid={errorCode === 'words_differ'}
            />
          </>
        )}
      </FormDialog>
      {dialog}
    </>
  )
}
