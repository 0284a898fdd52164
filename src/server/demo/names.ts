import type { Random } from "./random.ts";

/** Invented customers: given and family names common in the region, combined at random. */
export type NamePool = "my" | "th" | "sg" | "id" | "vn" | "ph";

const words = (text: string) => text.split(" ");
const malay = {
  first: words(
    "Ahmad Hafiz Azlan Faizal Haikal Zulkifli Ridhwan Syafiq Amirul Khairul Nurul Siti Aminah Farah Hidayah Rosnah Noraini Izzati Syazwani Aisyah Balqis Mariam",
  ),
  last: words("Abdullah Rahman Ismail Yusof Hassan Idris Bakar Salleh Omar Karim Ibrahim Zakaria Othman Jamaludin Mokhtar Shamsuddin"),
};
const chinese = {
  first: words(
    "Wei-Jie Siew-Ching Kah-Hoe Mei-Fong Li-Ting Boon-Keat Chee-Keong Swee-Lian Kok-Wai Yee-Mun Siu-Ling Jia-Hui Zhi-Hao Sze-Wei Chun-Hau Hui-Min Pei-Shan Jun-Kit",
  ),
  last: words("Tan Lim Goh Chong Wong Teh Lee Ng Yap Chan Lau Khoo Ong Foo Liew Chew Tay Koh Chua Teo"),
};
const indian = {
  first: words("Prakash Kavitha Suresh Deepa Ravi Anitha Ganesh Priya Mohan Sharmila Vikram Lakshmi Dinesh Revathi"),
  last: words("Nair Subramaniam Chandran Kumar Menon Pillai Krishnan Raman Selvam Muthu Naidu Govind"),
};
const thai = {
  first: words(
    "Krit Somchai Anong Nattaya Pranee Wichai Kanda Suda Thanom Ploy Niran Malee Prasert Orawan Decha Ratana Chai Siriporn Boonmee Apinya",
  ),
  last: words(
    "Chaiyaporn Srisuk Thongdee Wongsakul Rattanakorn Phromma Saelim Boonyarit Kaewmanee Suwannarat Intharat Chantara Panyawong Meesuk",
  ),
};
const indonesian = {
  first: words("Dewi Rizky Budi Agus Putri Siti Andi Wahyu Rina Bayu Fitri Eko Indah Yudi Lestari Dimas Ratna Joko Sari Hendra"),
  last: words(
    "Wulandari Hidayat Santoso Pratama Susanto Wijaya Kusuma Saputra Nugroho Permana Lestari Gunawan Hartono Setiawan Maulana Siregar",
  ),
};
const vietnamese = {
  last: words("Nguyễn Trần Lê Phạm Hoàng Vũ Đặng Bùi Đỗ Hồ Ngô Dương"),
  middle: words("Thị Văn Minh Thanh Ngọc Quang Hữu Đức"),
  first: words("Hương Anh Tuấn Linh Trang Dũng Hà Mai Phương Long Hải Thảo Sơn Yến Khoa Nhung"),
};
const filipino = {
  first: words(
    "Maria Jose Angelo Cristina Ramon Liza Paolo Joy Rowena Miguel Grace Arnel Jasmine Noel Aileen Dennis Rosario Carlo Leah Edgar",
  ),
  last: words("Santos Reyes Cruz Bautista Garcia Mendoza Torres Villanueva Ramos Aquino Flores Navarro Castillo Salazar Domingo Mercado"),
};

const western = (pool: { first: string[]; last: string[] }) => (random: Random) => `${random.pick(pool.first)} ${random.pick(pool.last)}`;
const familyFirst = (random: Random) => `${random.pick(chinese.last)} ${random.pick(chinese.first).replace("-", " ")}`;

const makers: Record<NamePool, (random: Random) => string> = {
  my: (random) => random.weighted([western(malay), familyFirst, western(indian)], [5, 4, 2])(random),
  sg: (random) => random.weighted([familyFirst, western(malay), western(indian)], [7, 2, 2])(random),
  th: western(thai),
  id: western(indonesian),
  vn: (random) => `${random.pick(vietnamese.last)} ${random.pick(vietnamese.middle)} ${random.pick(vietnamese.first)}`,
  ph: western(filipino),
};

export const customerName = (pool: NamePool, random: Random): string => makers[pool](random);

/** As banks print names: capitals without diacritics. */
export const bankPrinted = (name: string): string =>
  name.normalize("NFD").replace(/\p{M}/gu, "").replaceAll("đ", "d").replaceAll("Đ", "D").toUpperCase();

/** Customers written in scripts other than Latin, where a benchmark's rows have them: a name is a first of them and a last. */
export const otherScripts = [
  {
    first: [..."王李张刘陈杨黄赵吴周徐孙马朱胡林郭何高罗", "欧阳", "司徒"],
    last: [..."伟芳娜敏静丽强磊军洋"].flatMap((one) => [..."明华英玉国文建志美秀", ""].map((other) => one + other)),
  },
  {
    first: words("สมชาย สมหญิง ประเสริฐ วิชัย สุดา มาลี นิรันดร์ กฤษณ์ อรวรรณ ศิริพร ณัฐธยาน์ บุญมี ธนพล พลอย ปราณี"),
    last: words("ไชยพร ศรีสุข ทองดี วงศ์สกุล รัตนากร พรหมมา แซ่ลิ้ม บุญฤทธิ์ แก้วมณี สุวรรณรัตน์").map((word) => ` ${word}`),
  },
  {
    first: words("أحمد محمد عليّ إبراهيم يوسف فاطمة آمنة خديجة مصطفى حسن حسين سلمى ليلى عمر زينب"),
    last: words("الحسن عبدالله المالكي الهاشمي القاسم إسماعيل العطاس باعلوي السقاف الجفري").map((word) => ` ${word}`),
  },
];
