/** What a line of a bank's slip tells of; "other" is of no concern here, but ends what stood before it. */
export type SlipKind = "reference" | "amount" | "name" | "account" | "other";

/** Labels of banks in the eight languages and those of the region, folded as `foldLabel` does; commas part them. */
const words: Readonly<Record<SlipKind, string>> = {
  reference: `
    reference number, reference no, reference id, reference, ref number, ref no, ref id, ref, bank reference, transaction reference number,
    transaction reference no, transaction reference, transaction number, transaction no, transaction id, txn number, txn no, txn id, txn ref,
    txn reference, trx id, trx no, receipt number, receipt no, rrn, utr, uetr, trace number, trace no, confirmation number, confirmation no,
    payment id, payment reference,
    referenznummer, referenz, auftragsnummer, transaktionsnummer, transaktions-id, vorgangsnummer, buchungsnummer,
    numero de referencia, referencia, numero de operacion, n de operacion, numero de transaccion, id de transaccion, folio, clave de rastreo,
    numero de reference, numero de transaction, n de transaction, n de reference, identifiant de transaction,
    numero di riferimento, riferimento, numero operazione, numero transazione, id transazione, cro, trn,
    номер операции, номер документа, номер транзакции, номер перевода, идентификатор операции, референс,
    参考号, 参考编号, 流水号, 交易流水号, 交易号, 交易编号, 电子回单号, 回单编号, 凭证号, 订单号,
    الرقم المرجعي, رقم المرجع, المرجع, رقم العملية, رقم المعاملة, رقم الحوالة,
    nombor rujukan, no rujukan, rujukan, nomor referensi, no referensi, nomor transaksi, ma giao dich, so tham chieu, ma tham chieu,
    เลขท อางอง, หมายเลขอางอง, รหสอางอง`,
  amount: `
    transfer amount, transaction amount, payment amount, amount paid, amount transferred, amount sent, amount,
    betrag, uberweisungsbetrag, importe, monto, cantidad, montant, montant du virement, importo, importo bonifico,
    сумма перевода, сумма операции, сумма платежа, сумма, 金额, 转账金额, 交易金额, 汇款金额, 付款金额,
    المبلغ, مبلغ التحويل, مبلغ الحوالة, jumlah, jumlah transfer, nominal, so tien, จานวนเงน`,
  name: `
    beneficiary name, beneficiary, recipient name, recipient, payee name, payee, receiver name, receiver, account holder, account name,
    transfer to, paid to, to name, to,
    empfanger, begunstigter, kontoinhaber, beneficiario, nombre del beneficiario, destinatario, titular, beneficiaire, nom du beneficiaire,
    destinataire, intestatario, получатель, фио получателя, имя получателя, 收款人, 收款方, 收款户名, 收款人姓名, 收款人户名, 户名,
    المستفيد, اسم المستفيد, penerima, nama penerima, nguoi thu huong, nguoi nhan, ten nguoi nhan, ten nguoi thu huong, ผรบ, ชอผรบ`,
  account: `
    beneficiary account number, beneficiary account no, beneficiary account, recipient account number, recipient account no,
    recipient account, payee account number, payee account, to account number, to account no, to account, account number, account no,
    credit account, kontonummer, iban, numero de cuenta, cuenta destino, cuenta de destino, cuenta, compte beneficiaire, numero de compte,
    conto beneficiario, numero conto, счет получателя, номер счета, 收款账号, 收款人账号, 收款账户, 账号, 卡号,
    رقم الحساب, حساب المستفيد, رقم حساب المستفيد, rekening tujuan, no rekening, nomor rekening, nombor akaun, no akaun, so tai khoan,
    tai khoan nhan, เลขทบญช`,
  other: `
    recipient reference, recipients reference, recipient s reference, payment details, other payment details, remark, remarks, description,
    details, memo, note, message, narrative, purpose, verwendungszweck, concepto, motif, libelle, causale, назначение платежа, назначение,
    附言, 备注, 摘要, 用途, البيان, ملاحظات, الغرض, noi dung, berita, keterangan, catatan,
    fee, fees, service fee, transfer fee, charge, charges, service charge, total, total amount, total debit, balance, available balance,
    balance after, date, transaction date, value date, date and time, time, from, from account, from account number, from name, sender,
    sender name, sender account, payer, payer name, payer account, debit account, status, currency, bank, bank name, beneficiary bank,
    recipient bank, receiving bank, type, channel, amount in words,
    gebuhr, gebuhren, gesamtbetrag, datum, auftraggeber, konto, bank des empfangers, comision, total cargado, fecha, ordenante, cuenta origen,
    frais, date d execution, donneur d ordre, compte debite, commissione, commissioni, data, ordinante, conto ordinante,
    комиссия, дата, отправитель, плательщик, счет отправителя, счет списания, итого, статус, банк получателя,
    手续费, 日期, 交易日期, 交易时间, 付款人, 付款方, 付款账号, 付款户名, 收款银行, 币种, 状态, 余额,
    الرسوم, التاريخ, المرسل, الحالة, من حساب, حساب المرسل, بنك المستفيد,
    biaya, biaya admin, tanggal, tarikh, pengirim, rekening sumber, dari, phi, ngay, thoi gian, nguoi gui, tai khoan nguon, ngan hang`,
};

/** Too short to be a label without a colon behind it. */
const short = new Set(["to", "from", "dari", "data", "total", "bank", "type", "note", "konto", "date", "time", "ngay", "phi", "cuenta"]);

/** Without accents, case and punctuation. */
export const foldLabel = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/\([^)]*\)/g, " ")
    .replace(/[.#/_’'№º°*]+/g, " ")
    .replace(/\s+/g, " ")
    .trim();

const kinds = new Map(
  (Object.keys(words) as SlipKind[]).flatMap((kind) => words[kind].split(",").map((label) => [foldLabel(label), kind] as const)), // Object.keys widens
);

/** What a label speaks of; `marked`: something stands between it and its value. Null: it is no label. */
export function kindOfLabel(text: string, marked: boolean): SlipKind | null {
  const label = foldLabel(text);
  return !marked && short.has(label) ? null : (kinds.get(label) ?? null);
}
