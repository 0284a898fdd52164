import type { BankField } from "../../../contract/bank-layouts.ts";

/**
 * What banks write over a column, by what it holds: English, German, French, Spanish, Italian, Russian, Chinese, Arabic, Malay, Indonesian,
 * Vietnamese and Thai, parted by bars. Without points, signs and capitals.
 */
export const headerWords: readonly (readonly [field: BankField, words: string])[] = [
  [
    "direction",
    "debit credit|credit debit|dr cr|cr dr|d c|c d|dc|drcr|crdr|debit credit indicator|dr cr indicator|direction|in out|credit or debit",
  ],
  ["direction", "soll haben|s h|sens|debit credit kennzeichen|dare avere|debe haber|cargo abono|signo|д к|дебет кредит|тип операции"],
  ["direction", "借贷|借贷标志|借贷方向|收支|收支类型|收支方向|مدين دائن|نوع الحركة|debet kredit|d k|db cr|nợ có|ghi nợ ghi có|เดบิต เครดิต"],
  [
    "value_date",
    "value date|val date|effective date|valuta|valutadatum|wertstellung|wert|date de valeur|date valeur|fecha valor|fecha de valor",
  ],
  [
    "value_date",
    "data valuta|дата валютирования|起息日|起息日期|تاريخ القيمة|تاريخ الحق|tarikh nilai|tarikh efektif|tarikh kuatkuasa|tanggal valuta",
  ],
  ["value_date", "tanggal efektif|tgl valuta|ngày hiệu lực|ngày giá trị|วันที่มีผล|วันที่มีผลบังคับ"],
  [
    "date",
    "date|transaction date|txn date|trans date|tran date|posting date|post date|posted date|booking date|entry date|date time|datetime",
  ],
  [
    "date",
    "transaction date time|date and time|timestamp|posted|completed date|datum|buchungstag|buchungsdatum|buchung|date opération|date d opération",
  ],
  [
    "date",
    "date de l opération|date comptable|date de transaction|fecha|fecha operación|fecha de operación|fecha contable|fecha movimiento|f operación",
  ],
  [
    "date",
    "data|data operazione|data contabile|data registrazione|data movimento|дата|дата операции|дата проводки|дата платежа|дата и время",
  ],
  [
    "date",
    "дата документа|日期|交易日期|记账日期|交易日|入账日期|交易日期时间|记账日|التاريخ|تاريخ|تاريخ العملية|تاريخ المعاملة|تاريخ الحركة",
  ],
  [
    "date",
    "tarikh|tarikh transaksi|tarikh urus niaga|tarikh urusniaga|tarikh masuk|tanggal|tgl|tanggal transaksi|tgl transaksi|tanggal mutasi",
  ],
  ["date", "ngày|ngày giao dịch|ngày gd|ngày hạch toán|ngày ghi sổ|วันที่|วันที่ทำรายการ|วันที่รายการ|วันเวลา|วันที่ เวลา"],
  [
    "clock",
    "time|transaction time|txn time|uhrzeit|zeit|heure|hora|ora|время|время операции|时间|交易时间|الوقت|وقت العملية|masa|waktu|jam",
  ],
  ["clock", "giờ|thời gian|giờ giao dịch|เวลา|เวลาทำรายการ"],
  [
    "counterparty_account",
    "beneficiary account|beneficiary account no|payee account|payer account|sender account|recipient account|counterparty account",
  ],
  [
    "counterparty_account",
    "from account|account from|other account|counterparty iban|kontonummer iban|gegenkonto|iban zahlungsbeteiligter|iban gegenkonto",
  ],
  [
    "counterparty_account",
    "compte bénéficiaire|compte du tiers|iban bénéficiaire|cuenta beneficiario|cuenta ordenante|cuenta origen|cuenta destino",
  ],
  [
    "counterparty_account",
    "conto controparte|iban beneficiario|iban ordinante|счет контрагента|счет плательщика|счет получателя|对方账号|对方账户|对方帐号",
  ],
  [
    "counterparty_account",
    "对方卡号|付款账号|收款账号|付款方账号|收款方账号|حساب المستفيد|حساب المرسل|رقم حساب المستفيد|رقم حساب المرسل|akaun pengirim",
  ],
  [
    "counterparty_account",
    "akaun penerima|rekening pengirim|rekening penerima|rekening tujuan|rekening lawan|no rekening lawan|tài khoản đối ứng",
  ],
  [
    "counterparty_account",
    "số tài khoản đối ứng|tk đối ứng|tài khoản người gửi|tài khoản người chuyển|บัญชีผู้โอน|เลขที่บัญชีผู้โอน|บัญชีต้นทาง|บัญชีปลายทาง",
  ],
  [
    "balance",
    "balance|running balance|available balance|ledger balance|closing balance|account balance|book balance|statement balance|saldo|kontostand",
  ],
  [
    "balance",
    "saldo nach buchung|solde|solde après opération|saldo contable|saldo disponible|saldo contabile|остаток|баланс|сальдо|исходящий остаток",
  ],
  [
    "balance",
    "余额|账户余额|结余|本次余额|可用余额|الرصيد|رصيد|الرصيد المتاح|baki|baki akhir|baki semasa|baki penyata|saldo akhir|số dư|số dư cuối",
  ],
  ["balance", "số dư tài khoản|ยอดคงเหลือ|คงเหลือ|ยอดเงินคงเหลือ|ยอดเงินในบัญชี"],
  [
    "debit",
    "debit|debits|debit amount|debit amt|amount debited|withdrawal|withdrawals|withdrawal amount|withdrawal amt|money out|paid out|out|outgoing|dr",
  ],
  [
    "debit",
    "dr amount|payments|payment|spent|soll|belastung|lastschrift|ausgang|ausgaben|débit|débits|montant débit|retrait|retraits|sortie|dépenses",
  ],
  [
    "debit",
    "cargo|cargos|débito|débitos|debe|retiro|retiros|salida|salidas|gasto|dare|addebiti|addebito|uscite|uscita|дебет|расход|списание|списано",
  ],
  [
    "debit",
    "сумма по дебету|借方|借方发生额|借方金额|支出|支出金额|转出|转出金额|取款|付款金额|مدين|سحب|خصم|المسحوبات|السحب|المبلغ المدين",
  ],
  [
    "debit",
    "debet|pengeluaran|keluar|mutasi debet|mutasi debit|wang keluar|pengeluaran wang|jumlah debit|ghi nợ|nợ|phát sinh nợ|tiền ra|rút tiền",
  ],
  ["debit", "số tiền ghi nợ|chi|เดบิต|ถอน|ถอนเงิน|เงินออก|จำนวนเงินถอน|รายการถอน|รายจ่าย"],
  [
    "credit",
    "credit|credits|credit amount|credit amt|amount credited|deposit|deposits|deposit amount|deposit amt|money in|paid in|in|incoming|cr",
  ],
  [
    "credit",
    "cr amount|receipts|received|haben|gutschrift|eingang|einnahmen|crédit|crédits|montant crédit|versement|versements|dépôt|entrée|recettes",
  ],
  [
    "credit",
    "abono|abonos|crédito|créditos|haber|ingreso|ingresos|depósito|depósitos|entrada|entradas|avere|accrediti|accredito|entrate|кредит|приход",
  ],
  [
    "credit",
    "поступление|зачисление|зачислено|сумма по кредиту|贷方|贷方发生额|贷方金额|收入|收入金额|转入|转入金额|存入|存款|收款金额|دائن|إيداع",
  ],
  [
    "credit",
    "إضافة|الإيداعات|الإيداع|المبلغ الدائن|kredit|pemasukan|masuk|mutasi kredit|wang masuk|deposit wang|jumlah kredit|ghi có|có|phát sinh có",
  ],
  ["credit", "tiền vào|nộp tiền|số tiền ghi có|thu|เครดิต|ฝาก|ฝากเงิน|เงินเข้า|จำนวนเงินฝาก|รายการฝาก|รายรับ"],
  [
    "reference",
    "reference|ref|ref no|reference no|reference number|reference id|transaction reference|transaction ref|transaction id|txn id|txn no",
  ],
  [
    "reference",
    "trace no|utr|rrn|cheque no|bank reference|customer reference|referenz|referenznummer|kundenreferenz|kundenreferenz end to end|mandatsreferenz",
  ],
  [
    "reference",
    "référence|réf|n de référence|numéro de référence|referencia|nº referencia|número de referencia|no referencia|riferimento|numero riferimento",
  ],
  [
    "reference",
    "номер документа|номер операции|референс|номер|参考号|流水号|交易流水号|凭证号|交易号|订单号|业务编号|المرجع|رقم المرجع|رقم العملية",
  ],
  [
    "reference",
    "الرقم المرجعي|rujukan|no rujukan|nombor rujukan|referensi|no referensi|nomor referensi|số tham chiếu|mã giao dịch|số bút toán|số chứng từ",
  ],
  ["reference", "mã tham chiếu|số gd|เลขที่อ้างอิง|อ้างอิง|หมายเลขอ้างอิง|เลขอ้างอิง|รหัสอ้างอิง"],
  [
    "payer",
    "payer|payer name|sender|sender name|from|originator|ordering party|remitter|auftraggeber|zahlungspflichtiger|donneur d ordre|émetteur",
  ],
  [
    "payer",
    "ordenante|remitente|pagador|ordinante|pagante|плательщик|наименование плательщика|отправитель|付款人|付款方|付款人名称|付款方户名|付款户名",
  ],
  [
    "payer",
    "الدافع|المرسل|اسم المرسل|pengirim|nama pengirim|pembayar|người gửi|người chuyển|tên người gửi|tên người chuyển|ผู้โอน|ชื่อผู้โอน|ผู้ส่ง",
  ],
  [
    "payee",
    "payee|payee name|beneficiary|beneficiary name|to|recipient|recipient name|receiver|empfänger|begünstigter|zahlungsempfänger|bénéficiaire",
  ],
  [
    "payee",
    "beneficiario|nombre beneficiario|получатель|наименование получателя|收款人|收款方|收款人名称|收款方户名|收款户名|المستفيد|اسم المستفيد",
  ],
  ["payee", "penerima|nama penerima|người nhận|người thụ hưởng|tên người nhận|tên người thụ hưởng|ผู้รับ|ผู้รับเงิน|ชื่อผู้รับ"],
  [
    "counterparty",
    "name|counterparty|counterparty name|other party|payer payee|payee payer|sender receiver|customer name|party name|payer payee name",
  ],
  [
    "counterparty",
    "auftraggeber empfänger|begünstigter zahlungspflichtiger|beguenstigter zahlungspflichtiger|name zahlungsbeteiligter|zahlungspartner",
  ],
  [
    "counterparty",
    "zahlungsbeteiligter|name|tiers|nom|nom du tiers|contrepartie|nombre|contraparte|titular|controparte|nome|nominativo|контрагент",
  ],
  [
    "counterparty",
    "наименование контрагента|имя|对方户名|对方名称|交易对方|对方姓名|对方账户名称|户名|الطرف الآخر|اسم الطرف الآخر|الاسم|nama|nama pihak lawan",
  ],
  ["counterparty", "đối tác|tên đối ứng|đơn vị đối ứng|tên tài khoản đối ứng|ชื่อ|ชื่อบัญชี|คู่ค้า"],
  [
    "currency",
    "currency|ccy|curr|currency code|währung|devise|monnaie|divisa|moneda|валюта|币种|货币|交易币种|العملة|mata wang|mata uang|loại tiền|tiền tệ",
  ],
  ["currency", "สกุลเงิน"],
  [
    "amount",
    "amount|transaction amount|txn amount|amt|sum|value|betrag|umsatz|betrag in eur|montant|importe|monto|cantidad|importo|ammontare|сумма",
  ],
  [
    "amount",
    "сумма операции|сумма платежа|金额|交易金额|发生额|交易额|المبلغ|مبلغ|مبلغ العملية|قيمة العملية|jumlah|amaun|amaun transaksi|nominal|nilai",
  ],
  ["amount", "mutasi|jumlah transaksi|jumlah mutasi|số tiền|số tiền giao dịch|giá trị|phát sinh|จำนวนเงิน|ยอดเงิน|จำนวน|มูลค่า"],
  [
    "description",
    "description|details|particulars|narrative|narration|transaction description|transaction details|memo|remarks|remark|note|notes",
  ],
  [
    "description",
    "message|type|transaction type|text|payment details|verwendungszweck|buchungstext|beschreibung|vorgang|libellé|motif|détail|communication",
  ],
  [
    "description",
    "concepto|descripción|detalle|observaciones|movimiento|descrizione|causale|dettagli|operazione|назначение платежа|описание|назначение",
  ],
  [
    "description",
    "содержание|комментарий|摘要|用途|备注|附言|交易摘要|说明|交易类型|交易说明|الوصف|البيان|تفاصيل|التفاصيل|ملاحظات|بيان العملية",
  ],
  [
    "description",
    "keterangan|butiran|butiran transaksi|penerangan|keterangan transaksi|perihal|uraian|deskripsi|berita|rincian|catatan|diễn giải|nội dung",
  ],
  ["description", "mô tả|nội dung giao dịch|chi tiết|ghi chú|รายการ|รายละเอียด|คำอธิบาย|หมายเหตุ|ประเภทรายการ|ช่องทาง"],
  [
    "account",
    "account|account no|account number|konto|auftragskonto|iban auftragskonto|kontonummer|compte|numéro de compte|cuenta|número de cuenta|conto",
  ],
  [
    "account",
    "счет|номер счета|账号|账户|帐号|本方账号|卡号|交易账号|الحساب|رقم الحساب|akaun|no akaun|nombor akaun|rekening|no rekening|nomor rekening",
  ],
  ["account", "tài khoản|số tài khoản|บัญชี|เลขที่บัญชี|เลขบัญชี"],
];

/** Words on a line that is no movement: totals, and balances carried over. */
export const totalWords: Readonly<Record<"total" | "balance", readonly string[]>> = {
  total: (
    "total|totals|sum|subtotal|grand total|summe|gesamt|gesamtsumme|totaux|totale|totali|итого|всего|оборот|合计|总计|小计|المجموع|الإجمالي|jumlah|jumlah besar|total mutasi|" +
    "tổng|tổng cộng|cộng|รวม|ยอดรวม|รวมทั้งสิ้น|total debit|total credit|total debits|total credits|total withdrawals|total deposits|jumlah debit|jumlah kredit"
  ).split("|"),
  balance: (
    "opening balance|closing balance|balance brought forward|balance carried forward|brought forward|carried forward|balance b f|balance c f|beginning balance|ending balance|" +
    "anfangssaldo|endsaldo|alter saldo|neuer saldo|kontostand|solde initial|solde final|ancien solde|nouveau solde|saldo inicial|saldo final|saldo iniziale|saldo finale|" +
    "входящий остаток|исходящий остаток|期初余额|期末余额|上期余额|承前结余|الرصيد الافتتاحي|الرصيد الختامي|baki awal|baki permulaan|baki akhir|baki dibawa ke hadapan|" +
    "saldo awal|saldo akhir|số dư đầu kỳ|số dư cuối kỳ|ยอดยกมา|ยอดยกไป|ยอดคงเหลือยกมา"
  ).split("|"),
};
