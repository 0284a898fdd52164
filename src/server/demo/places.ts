import type { NamePool } from "./names.ts";

/** The content of the demo: three tenants with two currencies each, twenty merchants, sixty payment accounts. */
export interface DemoBank {
  readonly name: string;
  /** Prefix of its accounts' codes: "MBB-07". */
  readonly code: string;
  readonly digits: number;
}

interface DemoMerchant {
  readonly code: string;
  readonly name: string;
  /** Share of the book's transactions. */
  readonly weight: number;
  /** Its callback address has failed for days. */
  readonly ailing?: true;
}

/** One tenant's business in one currency. */
export interface DemoBook {
  readonly currency: string;
  readonly currencyName: string;
  readonly country: string;
  readonly zone: string;
  readonly zoneMinutes: number;
  readonly minorDigits: number;
  readonly names: NamePool;
  /** Median amount, and the unit most amounts are a multiple of. */
  readonly median: number;
  readonly unit: number;
  /** Tier thresholds. */
  readonly confirmFrom: number;
  readonly secondFrom: number;
  /** A bank's charge for a payout. */
  readonly charge: string;
  /** Share of all transactions. */
  readonly share: number;
  readonly accounts: number;
  readonly companies: readonly string[];
  readonly banks: readonly DemoBank[];
  readonly wallet: DemoBank;
  readonly qr: DemoBank;
  readonly merchants: readonly DemoMerchant[];
  /** Open transactions at the start: withdrawals pending, withdrawals awaiting a second person, deposits pending, deposits in process. */
  readonly open: { readonly withdrawals: number; readonly second: number; readonly shown: number; readonly paid: number };
}

export interface DemoTenant {
  readonly code: string;
  readonly name: string;
  readonly colour: string;
  readonly withdrawalExpiryHours: number | null;
  readonly books: readonly [DemoBook, DemoBook];
}

const bank = (name: string, code: string, digits: number): DemoBank => ({ name, code, digits });
const merchant = (code: string, name: string, weight: number): DemoMerchant => ({ code, name, weight });

const myr: DemoBook = {
  currency: "MYR",
  currencyName: "Malaysian ringgit",
  country: "Malaysia",
  zone: "+08:00",
  zoneMinutes: 480,
  minorDigits: 2,
  names: "my",
  median: 420,
  unit: 10,
  confirmFrom: 5_000,
  secondFrom: 20_000,
  charge: "0.50",
  share: 0.34,
  accounts: 14,
  companies: ["Mekong Harbour Sdn Bhd", "Kinta Trading Sdn Bhd", "Selat Logistik Sdn Bhd", "Rimba Niaga Sdn Bhd"],
  banks: [
    bank("Maybank", "MBB", 12),
    bank("CIMB", "CIM", 10),
    bank("Public Bank", "PBB", 10),
    bank("RHB", "RHB", 14),
    bank("Hong Leong", "HLB", 11),
    bank("AmBank", "AMB", 13),
    bank("Bank Islam", "BIM", 14),
    bank("BSN", "BSN", 16),
    bank("UOB", "UOB", 10),
    bank("OCBC", "OCB", 10),
  ],
  wallet: bank("Touch 'n Go eWallet", "TNG", 10),
  qr: bank("DuitNow QR", "DQR", 12),
  merchants: [
    merchant("HP", "Harbour Play", 8),
    merchant("LT", "Lotus 88", 6),
    merchant("RG", "Rimba Games", 4),
    merchant("KA", "Kinta Arena", 3),
    { ...merchant("SS", "Selat Sports", 3), ailing: true },
  ],
  open: { withdrawals: 58, second: 4, shown: 26, paid: 14 },
};

const thb: DemoBook = {
  ...myr,
  currency: "THB",
  currencyName: "Thai baht",
  country: "Thailand",
  zone: "+07:00",
  zoneMinutes: 420,
  names: "th",
  median: 1_500,
  unit: 50,
  confirmFrom: 20_000,
  secondFrom: 80_000,
  charge: "5.00",
  share: 0.18,
  accounts: 10,
  companies: ["Mekong Harbour Co., Ltd.", "Chao Phraya Trading Co., Ltd.", "Isan Supply Co., Ltd."],
  banks: [
    bank("Kasikornbank", "KBK", 10),
    bank("SCB", "SCB", 10),
    bank("Bangkok Bank", "BBL", 10),
    bank("Krungthai", "KTB", 10),
    bank("Krungsri", "BAY", 10),
    bank("ttb", "TTB", 10),
  ],
  wallet: bank("TrueMoney", "TRM", 10),
  qr: bank("PromptPay QR", "PQR", 10),
  merchants: [
    merchant("BP", "Baan Play", 5),
    merchant("NK", "Naga Kick", 4),
    merchant("SW", "Siam Wheel", 3),
    merchant("AF", "Andaman Fun", 2),
  ],
  open: { withdrawals: 40, second: 2, shown: 20, paid: 12 },
};

const sgd: DemoBook = {
  ...myr,
  currency: "SGD",
  currencyName: "Singapore dollar",
  country: "Singapore",
  names: "sg",
  median: 160,
  confirmFrom: 2_000,
  secondFrom: 8_000,
  charge: "0.20",
  share: 0.13,
  accounts: 9,
  companies: ["Tanjong Remit Pte Ltd", "Kallang Services Pte Ltd"],
  banks: [
    bank("DBS", "DBS", 10),
    bank("OCBC", "OCB", 12),
    bank("UOB", "UOB", 10),
    bank("POSB", "PSB", 9),
    bank("Standard Chartered", "SCB", 10),
  ],
  wallet: bank("GrabPay", "GRB", 8),
  qr: bank("PayNow QR", "NQR", 9),
  merchants: [merchant("MQ", "Merlion Quest", 5), merchant("TA", "Tanjong Arcade", 3), merchant("ES", "Eastcoast Slots", 2)],
  open: { withdrawals: 26, second: 2, shown: 14, paid: 8 },
};

const idr: DemoBook = {
  ...myr,
  currency: "IDR",
  currencyName: "Indonesian rupiah",
  country: "Indonesia",
  zone: "+07:00",
  zoneMinutes: 420,
  names: "id",
  median: 600_000,
  unit: 10_000,
  confirmFrom: 10_000_000,
  secondFrom: 40_000_000,
  charge: "2500.00",
  share: 0.14,
  accounts: 9,
  companies: ["PT Nusantara Kirim", "PT Bahari Dana Sentosa"],
  banks: [
    bank("BCA", "BCA", 10),
    bank("Mandiri", "MDR", 13),
    bank("BRI", "BRI", 15),
    bank("BNI", "BNI", 10),
    bank("CIMB Niaga", "CNG", 13),
    bank("Permata", "PMT", 10),
  ],
  wallet: bank("OVO", "OVO", 11),
  qr: bank("QRIS", "QRI", 11),
  merchants: [merchant("GM", "Garuda Main", 5), merchant("KB", "Kampung Bola", 4), merchant("JP", "Jaya Poker", 2)],
  open: { withdrawals: 30, second: 2, shown: 16, paid: 10 },
};

const vnd: DemoBook = {
  ...myr,
  currency: "VND",
  currencyName: "Vietnamese đồng",
  country: "Vietnam",
  zone: "+07:00",
  zoneMinutes: 420,
  minorDigits: 0,
  names: "vn",
  median: 900_000,
  unit: 50_000,
  confirmFrom: 15_000_000,
  secondFrom: 60_000_000,
  charge: "3300.00",
  share: 0.12,
  accounts: 9,
  companies: ["Công ty TNHH Sen Việt", "Công ty TNHH Cửu Long Pay"],
  banks: [
    bank("Vietcombank", "VCB", 13),
    bank("Techcombank", "TCB", 14),
    bank("BIDV", "BDV", 14),
    bank("VietinBank", "CTG", 12),
    bank("ACB", "ACB", 8),
    bank("MB Bank", "MBK", 13),
  ],
  wallet: bank("MoMo", "MMO", 10),
  qr: bank("VietQR", "VQR", 10),
  merchants: [merchant("SV", "Sen Vàng", 4), merchant("HL", "Hạ Long Games", 3), merchant("CD", "Cửu Đỉnh Club", 2)],
  open: { withdrawals: 26, second: 2, shown: 14, paid: 8 },
};

const php: DemoBook = {
  ...myr,
  currency: "PHP",
  currencyName: "Philippine peso",
  country: "Philippines",
  names: "ph",
  median: 1_800,
  unit: 50,
  confirmFrom: 25_000,
  secondFrom: 100_000,
  charge: "10.00",
  share: 0.09,
  accounts: 9,
  companies: ["Lotus Pearl Payments Inc.", "Visayas Remit Corp."],
  banks: [
    bank("BDO", "BDO", 12),
    bank("BPI", "BPI", 10),
    bank("Metrobank", "MBT", 13),
    bank("UnionBank", "UBP", 12),
    bank("Landbank", "LBP", 10),
  ],
  wallet: bank("GCash", "GCS", 11),
  qr: bank("QR Ph", "QPH", 11),
  merchants: [merchant("PP", "Perlas Play", 4), merchant("TB", "Tamaraw Bet", 3)],
  open: { withdrawals: 22, second: 1, shown: 12, paid: 7 },
};

export const demoTenants: readonly DemoTenant[] = [
  { code: "MHP", name: "Mekong Harbour Payments", colour: "#a9bd3a", withdrawalExpiryHours: null, books: [myr, thb] },
  { code: "TJR", name: "Tanjong Remit", colour: "#4aa3c7", withdrawalExpiryHours: null, books: [sgd, idr] },
  { code: "LPG", name: "Lotus Pearl Gateway", colour: "#c77d9e", withdrawalExpiryHours: 24, books: [vnd, php] },
];
