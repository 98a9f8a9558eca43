import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { loadErrorMessage } from '@/api/errors'
import { ErrorState } from '@/components/ErrorState'
import { Skeleton } from '@/components/Skeleton'
import { useFetch } from '@/hooks/use-fetch'
import { getDescription } from './api'
import { Contents } from './Contents'
import contentsStyles from './contents.module.css'
import { CallDetails } from './reference/CallDetails'
import { CodeBlock } from './reference/CodeBlock'
import { groupsOf, search, type Call, type Description, type Group, type Schemas } from './reference/description'
import { loginCommands } from './reference/example'
import styles from './reference/reference.module.css'

/** The service's own OpenAPI description, as a reference. */
export default function ApiReferencePage() {
  const { t } = useTranslation(['reference', 'errors'])
  const { data, error, retry } = useFetch(getDescription, '/api/openapi.json')
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1 className={contentsStyles.pageTitle}>{t('title')}</h1>
        <p className={styles.lead}>{t('lead')}</p>
      </header>
      {data ? <Reference description={data} /> : null}
      {!data && error === null ? <Skeleton label={t('loading')} heights={[48, 320, 320]} /> : null}
      {error === null ? null : <ErrorState title={t('failed')} text={loadErrorMessage(error)} onRetry={retry} />}
    </div>
  )
}

function Reference({ description }: { description: Description }) {
  const { t } = useTranslation('reference')
  const [wanted, setWanted] = useState('')
  const field = useId()
  const all = groupsOf(description)
  const found = search(all, wanted)
  const count = found.reduce((sum, { calls }) => sum + calls.length, 0)
  return (
    <div className={styles.columns}>
      <Contents
        title={t('contents')}
        className={styles.contents}
        entries={[
          { id: 'start', label: t('start.title') },
          ...found.map(({ name, calls }) => ({
            id: name,
            label: (
              <>
                {t(`groups.${name}`, { defaultValue: name })} <span className={styles.count}>{calls.length}</span>
              </>
            ),
          })),
        ]}
      />
      <div className={styles.body}>
        <Start sandbox={'/api/sandbox/outbox' in description.paths} />
        <div className={styles.search}>
          <label htmlFor={field}>{t('search.label')}</label>
          <input id={field} type="search" value={wanted} onChange={(event) => setWanted(event.target.value)} />
          <p role="status">{t('search.found', { count })}</p>
        </div>
        {found.map((group) => (
          <GroupSection key={group.name} group={group} schemas={description.components.schemas} />
        ))}
      </div>
    </div>
  )
}

function Start({ sandbox }: { sandbox: boolean }) {
  const { t } = useTranslation('reference')
  const [ask, exchange] = loginCommands(window.location.origin, sandbox)
  return (
    <section id="start" className={styles.section} aria-labelledby="start-heading">
      <h2 id="start-heading" className={styles.heading}>
        {t('start.title')}
      </h2>
      <p>{t('start.text')}</p>
      <p>{t('start.secret')}</p>
      <CodeBlock text={ask} label={t('start.ask')} copyLabel={t('start.ask')} />
      <p>{t(sandbox ? 'start.sandboxCode' : 'start.code')}</p>
      <CodeBlock text={exchange} label={t('start.exchange')} copyLabel={t('start.exchange')} />
      <p>{t('start.lists')}</p>
      <p>{t('start.errors')}</p>
      <p>
        <a href="/api/openapi.json">{t('start.description')}</a>
      </p>
    </section>
  )
}

function GroupSection({ group: { name, calls }, schemas }: { group: Group; schemas: Schemas }) {
  const { t } = useTranslation('reference')
  return (
    <section id={name} className={styles.section} aria-labelledby={`${name}-heading`}>
      <h2 id={`${name}-heading`} className={styles.heading}>
        {t(`groups.${name}`, { defaultValue: name })}
      </h2>
      {calls.map((call) => (
        <CallEntry key={call.operationId} call={call} schemas={schemas} />
      ))}
    </section>
  )
}

function scrollTo(element: HTMLElement | null): void {
  element?.scrollIntoView()
}

/** A call's line; its details are rendered while it is open. */
function CallEntry({ call, schemas }: { call: Call; schemas: Schemas }) {
  const { hash } = useLocation()
  const linked = hash === `#${call.operationId}`
  const [open, setOpen] = useState(linked)
  return (
    <details
      ref={linked ? scrollTo : undefined}
      id={call.operationId}
      className={styles.call}
      open={open}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>
        <span className={styles.method} data-method={call.method} dir="ltr">
          {call.method}
        </span>
        <code dir="ltr" className={styles.path}>
          {call.path}
        </code>
        <span lang="en" dir="ltr" className={styles.summary}>
          {call.summary}
        </span>
      </summary>
      {open && <CallDetails call={call} schemas={schemas} />}
    </details>
  )
}
