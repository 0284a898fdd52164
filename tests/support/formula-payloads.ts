/** Three hundred texts of which a spreadsheet makes a formula, a link or a call where it is let to. */
export const formulaPayloads: readonly string[] = (() => {
  const begins = ["=", "+", "-", "@", "\t=", "\r=", "\n=", " =", "＝", "'=", '"=', ";=", "==", "=+", "-+"];
  const bodies = [
    "1+1",
    "SUM(A1:A9)",
    'HYPERLINK("http://127.0.0.1/?"&A1,"open")',
    "cmd|' /C calc'!A0",
    'DDE("cmd";"/C calc";"x")',
    'WEBSERVICE("http://127.0.0.1/"&B2)',
    'IMPORTXML("http://127.0.0.1","//a")',
    "INDIRECT(ADDRESS(1,1))",
    "2+5+cmd|'/C calc'!A0",
    'EXEC("calc")',
    "A1&B1",
    "10%",
    "{1,2;3,4}",
    "'[other.xlsx]Sheet1'!A1",
    "MSEXCEL|'\\..\\..\\calc.exe'!''",
    'CALL("urlmon","URLDownloadToFileA","JJCCJJ",0,"http://127.0.0.1","x",0,0)',
    "<f>1+1</f>",
    "]]><f>1+1</f>",
    "_x003D_1+1",
    "1e9",
  ];
  return begins.flatMap((begin) => bodies.map((body) => begin + body));
})();
