import { digitsOf, groupExpiry, groupNumber, kindOf, passesLuhn, readExpiry } from './card-number'
import { make } from '@/lib/dom'
import type { Texts } from './texts'

type Name = 'number' | 'expiry' | 'cvc' | 'postalCode'

type Field = { input: HTMLInputElement; label: HTMLLabelElement; box: HTMLElement }

export type Typed = { number: string; month: number; year: number; cvc: string; postalCode: string }

const settings: Record<Name, Record<string, string>> = {
  number: { autocomplete: 'cc-number', inputmode: 'numeric', maxlength: '25', placeholder: '1234 1234 1234 1234' },
  expiry: { autocomplete: 'cc-exp', inputmode: 'numeric', maxlength: '9', placeholder: 'MM / YY' },
  cvc: { autocomplete: 'cc-csc', inputmode: 'numeric', maxlength: '4', placeholder: 'CVC' },
  postalCode: { autocomplete: 'billing postal-code', maxlength: '12' },
}

function makeField(name: Name): Field {
  const input = make('input', { id: name, name, type: 'text', dir: 'ltr', spellcheck: 'false', ...settings[name] })
  input.setAttribute('aria-describedby', 'problem')
  const label = make('label', { for: name })
  return { input, label, box: make('div', { class: `field ${name}` }, label, input) }
}

/** Our own card form. It exists for the sandbox only, whose cards are not real ones. */
export class SandboxFields {
  readonly box = make('div', { class: 'card-fields' })
  private readonly fields = {
    number: makeField('number'),
    expiry: makeField('expiry'),
    cvc: makeField('cvc'),
    postalCode: makeField('postalCode'),
  }

  constructor(
    private texts: Texts,
    private readonly onProblem: (text: string) => void,
  ) {
    const { number, expiry, cvc, postalCode } = this.fields
    this.box.append(number.box, expiry.box, cvc.box, postalCode.box)
    number.input.addEventListener('input', () => {
      const digits = digitsOf(number.input.value)
      const kind = kindOf(digits)
      number.input.value = groupNumber(digits.slice(0, kind.digits))
      number.box.dataset.brand = kind.brand
    })
    expiry.input.addEventListener('input', (event) => {
      // Does not re-insert a slash that was just deleted.
      const deleting = event instanceof InputEvent && event.inputType.startsWith('delete')
      if (!deleting) expiry.input.value = groupExpiry(expiry.input.value)
    })
    cvc.input.addEventListener('input', () => {
      cvc.input.value = digitsOf(cvc.input.value).slice(0, 4)
    })
    for (const { input } of Object.values(this.fields)) {
      input.addEventListener('input', () => this.mark(null, ''))
    }
    this.follow(texts)
  }

  follow(texts: Texts): void {
    this.texts = texts
    for (const name of Object.keys(this.fields) as Name[]) this.fields[name].label.textContent = texts.fields[name]
    this.fields.expiry.input.placeholder = texts.expiryHint
  }

  lock(locked: boolean): void {
    for (const { input } of Object.values(this.fields)) input.disabled = locked
  }

  focus(): void {
    this.fields.number.input.focus()
  }

  /** The typed values; null after showing the first error. */
  read(): Typed | null {
    const { number, expiry, cvc, postalCode } = this.fields
    const digits = digitsOf(number.input.value)
    const until = readExpiry(expiry.input.value)
    if (!passesLuhn(digits)) return this.mark('number', this.texts.problems.number)
    if (!until) return this.mark('expiry', this.texts.problems.expiry)
    if (cvc.input.value.length < 3) return this.mark('cvc', this.texts.problems.cvc)
    if (!postalCode.input.value.trim()) return this.mark('postalCode', this.texts.problems.postalCode)
    return { number: digits, ...until, cvc: cvc.input.value, postalCode: postalCode.input.value.trim() }
  }

  private mark(wrong: Name | null, text: string): null {
    for (const name of Object.keys(this.fields) as Name[]) {
      this.fields[name].input.setAttribute('aria-invalid', String(name === wrong))
    }
    if (wrong) this.fields[wrong].input.focus()
    this.onProblem(text)
    return null
  }
}
