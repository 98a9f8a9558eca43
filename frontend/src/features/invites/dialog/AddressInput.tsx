import { useId, useState, type ClipboardEvent, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import { Chip } from '@/components/Chip'
import { FieldMessage } from '@/components/forms/Field'
import styles from './address-input.module.css'
import { addAddress, addPasted, holdsAddress, type AddressProblem } from './addresses'

// A few thousand chips would make typing slow.
const SHOWN = 40

type Props = {
  addresses: string[]
  text: string
  onChange: (addresses: string[]) => void
  onText: (text: string) => void
  problem: AddressProblem | null
  onProblem: (problem: AddressProblem | null) => void
}

/** Addresses as chips. Enter, Tab, a comma or the button add the typed one. */
export function AddressInput({ addresses, text, onChange, onText, problem, onProblem }: Props) {
  const { t } = useTranslation('invites')
  const id = useId()
  const [pasted, setPasted] = useState(0)

  function add() {
    const next = addAddress(addresses, text)
    onProblem(next.problem)
    if (next.problem) return
    onChange(next.addresses)
    onText('')
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return
    const adds = ['Enter', 'Tab', ','].includes(event.key) && !event.shiftKey
    if (adds && (text.trim() !== '' || event.key === ',')) {
      event.preventDefault()
      if (text.trim() !== '') add()
    } else if (event.key === 'Backspace' && text === '') {
      onChange(addresses.slice(0, -1))
    }
  }

  function onPaste(event: ClipboardEvent) {
    const clip = event.clipboardData.getData('text')
    if (!holdsAddress(clip)) return
    event.preventDefault()
    const next = addPasted(addresses, clip)
    setPasted(next.length - addresses.length)
    onChange(next)
    onProblem(null)
  }

  return (
    <div>
      <label htmlFor={id} className={styles.label}>
        {t('dialog.label')}
      </label>
      <div className={styles.box} data-invalid={problem !== null}>
        <AddressChips addresses={addresses} onChange={onChange} />
        <div className={styles.entry}>
          <input
            id={id}
            // This field is the dialog's purpose.
            autoFocus
            type="text"
            inputMode="email"
            dir="ltr"
            autoCapitalize="none"
            autoComplete="off"
            spellCheck={false}
            className={styles.input}
            aria-invalid={problem !== null}
            aria-describedby={`${id}-below`}
            value={text}
            onChange={(event) => {
              onText(event.target.value)
              onProblem(null)
            }}
            onKeyDown={onKeyDown}
            onPaste={onPaste}
          />
          <Button variant="text" onClick={add} disabled={text.trim() === ''}>
            {t('dialog.add')}
          </Button>
        </div>
      </div>
      <FieldMessage id={`${id}-below`} invalid={problem !== null} role={problem ? 'alert' : undefined}>
        {problem ? t(`dialog.${problem.kind}`, { email: problem.email }) : t('dialog.hint')}
      </FieldMessage>
      <p className="t-hidden" role="status">
        {pasted > 0 ? t('dialog.pasted', { count: pasted }) : ''}
      </p>
    </div>
  )
}

type AddressChipsProps = { addresses: string[]; onChange: (addresses: string[]) => void }

function AddressChips({ addresses, onChange }: AddressChipsProps) {
  const { t } = useTranslation('invites')
  const [all, setAll] = useState(false)
  if (addresses.length === 0) return null
  const shown = all ? addresses : addresses.slice(-SHOWN)
  const hidden = addresses.length - shown.length
  return (
    <>
      <ul className={styles.chips} aria-label={t('dialog.added')}>
        {hidden > 0 ? (
          <li>
            <button type="button" className={styles.more} onClick={() => setAll(true)}>
              {t('dialog.more', { count: hidden })}
            </button>
          </li>
        ) : null}
        {shown.map((address) => (
          <Chip
            key={address}
            text={address}
            dir="ltr"
            removeLabel={t('dialog.remove', { email: address })}
            onRemove={() => onChange(addresses.filter((each) => each !== address))}
          />
        ))}
      </ul>
      {addresses.length > 1 ? <p className={styles.count}>{t('dialog.count', { count: addresses.length })}</p> : null}
    </>
  )
}
